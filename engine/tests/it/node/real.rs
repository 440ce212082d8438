//! Invariants under test: the same node, unchanged, on a real machine: in a temporary directory, over TCP.
#![expect(
    clippy::disallowed_methods,
    reason = "another machine is another thread"
)]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use cenotaph_engine::message::{Answer, Request};
use cenotaph_engine::node::run;
use cenotaph_sim::host::Host;
use cenotaph_sim::os::{self, OsOptions};
use cenotaph_sim::sync::timeout;

use super::client::{Client, Outcome};
use super::cluster::{CLIENT, CONFIG, NODE};

/// A place to listen that was free a moment ago.
fn free_place() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("a bound address")
}

/// A node in a thread of its own, until it ends or is killed. A kill drops its tasks where they are.
fn serve(
    root: PathBuf,
    at: SocketAddr,
    kill: Arc<AtomicBool>,
) -> thread::JoinHandle<Result<(), String>> {
    let mut options = OsOptions::new(root, "n1");
    options.address = NODE;
    options.listen = Some(at);
    thread::spawn(move || {
        os::run(options, |host: Host| async move {
            let clock = host.clock();
            let killed = async {
                while !kill.load(Ordering::Relaxed) {
                    clock.sleep(Duration::from_millis(2)).await;
                }
            };
            let ended = timeout(killed, run(host, CONFIG)).await;
            ended.map_or(Ok(()), |end| end.map_err(|error| error.to_string()))
        })
    })
}

/// Runs a client's script against the node at `at`.
fn ask<F, R, T>(root: &Path, at: SocketAddr, script: F) -> T
where
    F: FnOnce(Client) -> R + 'static,
    R: Future<Output = T> + 'static,
    T: 'static,
{
    let mut options = OsOptions::new(root, "c1");
    options.address = CLIENT;
    options.peers = BTreeMap::from([(NODE, at)]);
    let answer: Rc<RefCell<Option<T>>> = Rc::default();
    let slot = Rc::clone(&answer);
    let end = os::run(options, |host: Host| async move {
        let output = script(Client::new(host, None)).await;
        *slot.borrow_mut() = Some(output);
        Ok(())
    });
    end.expect("the client ends well");
    answer.take().expect("the script gave an answer")
}

#[test]
fn a_node_on_a_real_disk_keeps_everything_through_a_kill_and_a_drain() {
    let roots = [(); 2].map(|()| tempfile::tempdir().expect("a temporary directory"));
    let [node, client] = roots.each_ref().map(|root| root.path().to_owned());
    let (at, kill) = (free_place(), Arc::new(AtomicBool::new(false)));
    let serving = serve(node.clone(), at, Arc::clone(&kill));
    ask(&client, at, |mut client| async move {
        client.create("t").await;
        for c in 0..20 {
            let written = client.write("t", (1, c), c).await;
            assert_eq!(written, Outcome::Answered(Answer::Written));
            if c == 9 {
                assert_eq!(client.flush("t").await, Outcome::Answered(Answer::Flushed));
            }
        }
    });
    kill.store(true, Ordering::Relaxed);
    serving
        .join()
        .expect("the thread ends")
        .expect("a kill is no error");

    let (at, kill) = (free_place(), Arc::new(AtomicBool::new(false)));
    let serving = serve(node.clone(), at, Arc::clone(&kill));
    let drained = ask(&client, at, |mut client| async move {
        assert_eq!(client.read("t", 1).await.len(), 20);
        client.create("u").await;
        client.write("u", (1, 1), 1).await;
        client.ask(Request::Drain).await
    });
    assert_eq!(drained, Outcome::Answered(Answer::Drained));
    serving
        .join()
        .expect("the thread ends")
        .expect("a drained node ends well");

    let at = free_place();
    let serving = serve(node, at, Arc::clone(&kill));
    let tables = ask(&client, at, |mut client| async move {
        assert_eq!(client.read("u", 1).await, [(1, Some(1))]);
        client.tables().await
    });
    assert_eq!(tables, ["t", "u"]);
    kill.store(true, Ordering::Relaxed);
    serving
        .join()
        .expect("the thread ends")
        .expect("a kill is no error");
}
