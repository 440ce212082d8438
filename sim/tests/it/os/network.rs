//! Invariants of packets over TCP: they reach whoever has a way, whole and in order, or are lost.
#![expect(
    clippy::disallowed_methods,
    reason = "another machine is another thread"
)]

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use bytes::Bytes;
use cenotaph_sim::host::{Address, Host, PACKET_SIZE_MAX};
use cenotaph_sim::os::OsOptions;
use cenotaph_sim::sync::timeout;
use tempfile::TempDir;

use super::support::{run, run_with};

const SERVER: Address = Address(1);
const CLIENT: Address = Address(2);

/// A place to listen that was free a moment ago.
fn free_place() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("a bound address")
}

/// A machine on a thread of its own that sends every packet back, through some boots.
struct Server {
    at: SocketAddr,
    ended_count: Arc<AtomicU32>,
    thread: JoinHandle<()>,
    _root: TempDir,
}

impl Server {
    /// A server that listens already.
    fn new(boots_count: u32) -> Server {
        let (root, at) = (temporary(), free_place());
        let mut options = OsOptions::new(root.path(), "server");
        options.address = SERVER;
        options.listen = Some(at);
        let ended_count = Arc::new(AtomicU32::new(0));
        let ended = Arc::clone(&ended_count);
        let (is_up, wait) = mpsc::channel();
        let thread = thread::spawn(move || {
            for _ in 0..boots_count {
                let is_up = is_up.clone();
                let main = move |host| async move {
                    // Only the first boot is waited for.
                    let _unheard = is_up.send(());
                    echo(host).await;
                };
                run_with(options.clone(), main).expect("the server ends well");
                ended.fetch_add(1, Ordering::SeqCst);
            }
        });
        wait.recv().expect("the server listens");
        Server {
            at,
            ended_count,
            thread,
            _root: root,
        }
    }

    fn join(self) {
        self.thread.join().expect("the server ends well");
    }
}

/// Sends every packet back, with the sender's incarnation before it, until this boot is to end.
async fn echo(host: Host) {
    let network = host.network();
    let last = format!("end {}", host.incarnation());
    loop {
        let packet = network.recv().await;
        if packet.bytes == last {
            return;
        }
        let mut bytes = packet.incarnation.to_le_bytes().to_vec();
        bytes.extend_from_slice(&packet.bytes);
        let sent = network.send(packet.from, Bytes::from(bytes));
        sent.expect("not too large");
    }
}

/// Says that a boot is to end, until it has.
async fn end_boot(host: &Host, boot: u32, ended_count: &AtomicU32) {
    while ended_count.load(Ordering::SeqCst) < boot {
        let last = Bytes::from(format!("end {boot}"));
        host.network().send(SERVER, last).expect("small");
        host.clock().sleep(Duration::from_millis(10)).await;
    }
}

fn temporary() -> TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

fn client(root: &Path, at: SocketAddr) -> OsOptions {
    let mut options = OsOptions::new(root, "client");
    options.address = CLIENT;
    options.peers = BTreeMap::from([(SERVER, at)]);
    options
}

/// Sends until an answer comes: a datagram may be lost, and the server may not be up yet.
async fn ask(host: &Host, body: &'static [u8]) -> (u32, Bytes) {
    let (network, clock) = (host.network(), host.clock());
    loop {
        network
            .send(SERVER, Bytes::from_static(body))
            .expect("small");
        let wait = clock.sleep(Duration::from_millis(500));
        if let Ok(packet) = timeout(wait, network.recv()).await {
            assert_eq!(packet.from, SERVER);
            return (packet.incarnation, packet.bytes);
        }
    }
}

#[test]
fn packets_go_both_ways_between_two_machines() {
    let (root, server) = (temporary(), Server::new(1));
    let ended_count = Arc::clone(&server.ended_count);
    let asking = run_with(client(root.path(), server.at), |host| async move {
        let (incarnation, answer) = ask(&host, b"hello").await;
        assert_eq!(incarnation, 1);
        assert_eq!(answer[..], *b"\x01\0\0\0hello");
        // Over a healthy connection nothing is lost, doubled or overtaken.
        let network = host.network();
        let sizes = [1, 2, 70_000, 3, PACKET_SIZE_MAX - 4, 4];
        for size in sizes {
            let body = Bytes::from(vec![7; size]);
            network.send(SERVER, body).expect("not too large");
        }
        for size in sizes {
            let mut answer = network.recv().await;
            while answer.bytes.ends_with(b"hello") {
                // Asked twice, as the first answer took its time.
                answer = network.recv().await;
            }
            assert_eq!(answer.bytes.len(), 4 + size);
        }
        let error = network.send(SERVER, Bytes::from(vec![0; PACKET_SIZE_MAX + 1]));
        let kind = error.expect_err("too large").kind();
        assert_eq!(kind, std::io::ErrorKind::InvalidInput);
        end_boot(&host, 1, &ended_count).await;
    });
    asking.expect("the client ends well");
    server.join();
}

#[test]
fn a_machine_that_comes_back_is_reached_again_and_says_which_boot_it_is() {
    let (root, server) = (temporary(), Server::new(2));
    let ended_count = Arc::clone(&server.ended_count);
    let asking = run_with(client(root.path(), server.at), |host| async move {
        assert_eq!(ask(&host, b"first").await.0, 1);
        end_boot(&host, 1, &ended_count).await;
        while ask(&host, b"second").await.0 == 1 {}
        end_boot(&host, 2, &ended_count).await;
    });
    asking.expect("the client ends well");
    server.join();
}

#[test]
fn machines_that_dial_each_other_at_once_hear_each_other() {
    let roots = [temporary(), temporary()];
    let places = [free_place(), free_place()];
    let content_count = Arc::new(AtomicU32::new(0));
    let machines = [0, 1].map(|own: usize| {
        let other = 1 - own;
        let address = |index: usize| Address(u32::try_from(index).expect("one of two"));
        let mut options = OsOptions::new(roots[own].path(), "twin");
        options.address = address(own);
        options.listen = Some(places[own]);
        options.peers = BTreeMap::from([(address(other), places[other])]);
        let content_count = Arc::clone(&content_count);
        thread::spawn(move || {
            run_with(options, move |host| async move {
                let (network, clock) = (host.network(), host.clock());
                // Each says how often it was heard, and answers until both have been often enough.
                let mut heard_count = 0_u32;
                while content_count.load(Ordering::SeqCst) < 2 {
                    let body = Bytes::copy_from_slice(&heard_count.to_le_bytes());
                    network.send(address(other), body).expect("small");
                    let wait = clock.sleep(Duration::from_millis(20));
                    if let Ok(packet) = timeout(wait, network.recv()).await {
                        let said =
                            u32::from_le_bytes(packet.bytes[..].try_into().expect("4 bytes"));
                        if heard_count < 100 && said + 1 >= 100 {
                            content_count.fetch_add(1, Ordering::SeqCst);
                        }
                        heard_count = heard_count.max(said + 1);
                    }
                }
            })
        })
    });
    for machine in machines {
        let result = machine.join().expect("the thread ends");
        result.expect("the machine ends well");
    }
}

#[test]
fn a_machine_hears_itself_and_nobody_without_a_way() {
    run(|host| async move {
        let network = host.network();
        network
            .send(Address(9), Bytes::from_static(b"lost"))
            .expect("small");
        network
            .send(network.address(), Bytes::from_static(b"own"))
            .expect("small");
        assert_eq!(network.recv().await.bytes[..], *b"own");
        let clock = host.clock();
        let wait = clock.sleep(Duration::from_millis(50));
        assert!(timeout(wait, network.recv()).await.is_err());
    });
}

#[test]
fn the_bytes_of_a_connection_are_the_format() {
    let server = Server::new(1);
    let mut stream = TcpStream::connect(server.at).expect("the server listens");
    let mut hello = [0_u8; 20];
    stream.read_exact(&mut hello).expect("a hello");
    assert_eq!(&hello, b"cenotaph\x01\0\0\0\x01\0\0\0\x01\0\0\0");
    stream
        .write_all(b"cenotaph\x01\0\0\0\x07\0\0\0\x05\0\0\0\x02\0\0\0hi")
        .expect("a hello and a packet");
    let mut packet = [0_u8; 10];
    stream.read_exact(&mut packet).expect("a packet");
    assert_eq!(&packet, b"\x06\0\0\0\x05\0\0\0hi");
    stream.write_all(b"\x05\0\0\0end 1").expect("a packet");
    server.join();
}

#[test]
fn strangers_are_hung_up_on_and_harm_nobody() {
    let server = Server::new(1);
    let strange: [&[u8]; 3] = [
        b"GET / HTTP/1.1\r\nHost: nobody\r\n\r\n",
        b"cenotaph\x02\0\0\0\x07\0\0\0\x05\0\0\0",
        b"cenotaph\x01\0\0\0\x07\0\0\0\x05\0\0\0\x01\0\x40\0more than 4 MiB",
    ];
    for bytes in strange {
        let mut stream = TcpStream::connect(server.at).expect("the server listens");
        stream.write_all(bytes).expect("the server listens");
        // It ends the connection, with or without a farewell.
        let mut heard = Vec::new();
        let _ending = stream.read_to_end(&mut heard);
        assert!(heard.len() <= 20, "{heard:?}");
    }
    let mut stream = TcpStream::connect(server.at).expect("the server listens");
    let last = b"cenotaph\x01\0\0\0\x07\0\0\0\x05\0\0\0\x05\0\0\0end 1";
    stream.write_all(last).expect("the server listens");
    server.join();
}
