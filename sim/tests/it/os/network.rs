//! Invariants of packets over TCP: they reach whoever has a way, whole and in order, or are lost.
#![expect(
    clippy::disallowed_methods,
    reason = "another machine is another thread"
)]

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::thread;
use std::time::Duration;

use bytes::Bytes;
use cenotaph_sim::host::{Address, Host, PACKET_SIZE_MAX};
use cenotaph_sim::os::OsOptions;
use cenotaph_sim::sync::timeout;

use super::support::{run, run_with};

const SERVER: Address = Address(1);
const CLIENT: Address = Address(2);

/// A place to listen that was free a moment ago.
fn free_place() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("a bound address")
}

fn server(root: &Path, at: SocketAddr) -> OsOptions {
    let mut options = OsOptions::new(root, "server");
    options.address = SERVER;
    options.listen = Some(at);
    options
}

fn client(root: &Path, at: SocketAddr) -> OsOptions {
    let mut options = OsOptions::new(root, "client");
    options.address = CLIENT;
    options.peers = BTreeMap::from([(SERVER, at)]);
    options
}

/// Sends every packet back, with the sender's incarnation before it, until an empty one comes.
async fn echo(host: Host) {
    let network = host.network();
    loop {
        let packet = network.recv().await;
        if packet.bytes.is_empty() {
            return;
        }
        let mut bytes = packet.incarnation.to_le_bytes().to_vec();
        bytes.extend_from_slice(&packet.bytes);
        network
            .send(packet.from, Bytes::from(bytes))
            .expect("small");
    }
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
    let roots = [(); 2].map(|()| tempfile::tempdir().expect("a temporary directory"));
    let at = free_place();
    let options = server(roots[0].path(), at);
    let serving = thread::spawn(move || run_with(options, echo));
    let asking = run_with(client(roots[1].path(), at), |host| async move {
        let (incarnation, answer) = ask(&host, b"hello").await;
        assert_eq!(incarnation, 1);
        assert_eq!(answer[..], *b"\x01\0\0\0hello");
        // Over a healthy connection nothing is lost, doubled or overtaken.
        let network = host.network();
        for size in [1, 2, 70_000, 3, PACKET_SIZE_MAX - 4, 4] {
            let body = Bytes::from(vec![u8::try_from(size % 251).expect("small"); size]);
            network.send(SERVER, body).expect("not too large");
        }
        for size in [1, 2, 70_000, 3, PACKET_SIZE_MAX - 4, 4] {
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
        network.send(SERVER, Bytes::new()).expect("small");
        host.clock().sleep(Duration::from_millis(100)).await;
    });
    asking.expect("the client ends well");
    serving
        .join()
        .expect("the thread ends")
        .expect("the server ends well");
}

#[test]
fn a_machine_that_comes_back_is_reached_again_and_says_which_boot_it_is() {
    let roots = [(); 2].map(|()| tempfile::tempdir().expect("a temporary directory"));
    let at = free_place();
    let options = server(roots[0].path(), at);
    let serving = thread::spawn(move || {
        for _ in 0..2 {
            run_with(options.clone(), echo).expect("the server ends well");
        }
    });
    let asking = run_with(client(roots[1].path(), at), |host| async move {
        assert_eq!(ask(&host, b"first").await.0, 1);
        host.network().send(SERVER, Bytes::new()).expect("small");
        while ask(&host, b"second").await.0 == 1 {}
        host.network().send(SERVER, Bytes::new()).expect("small");
        host.clock().sleep(Duration::from_millis(100)).await;
    });
    asking.expect("the client ends well");
    serving.join().expect("the server ends well");
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

/// Dials until the server listens.
fn dial(at: SocketAddr) -> TcpStream {
    loop {
        if let Ok(stream) = TcpStream::connect(at) {
            return stream;
        }
        thread::yield_now();
    }
}

#[test]
fn the_bytes_of_a_connection_are_the_format() {
    let root = tempfile::tempdir().expect("a temporary directory");
    let at = free_place();
    let options = server(root.path(), at);
    let serving = thread::spawn(move || run_with(options, echo));
    let mut stream = dial(at);
    let mut hello = [0_u8; 20];
    stream.read_exact(&mut hello).expect("a hello");
    assert_eq!(&hello, b"cenotaph\x01\0\0\0\x01\0\0\0\x01\0\0\0");
    stream
        .write_all(b"cenotaph\x01\0\0\0\x07\0\0\0\x05\0\0\0\x02\0\0\0hi")
        .expect("a hello and a packet");
    let mut packet = [0_u8; 10];
    stream.read_exact(&mut packet).expect("a packet");
    assert_eq!(&packet, b"\x06\0\0\0\x05\0\0\0hi");
    stream.write_all(b"\0\0\0\0").expect("an empty packet");
    serving
        .join()
        .expect("the thread ends")
        .expect("the server ends well");
}

#[test]
fn strangers_are_hung_up_on_and_harm_nobody() {
    let root = tempfile::tempdir().expect("a temporary directory");
    let at = free_place();
    let options = server(root.path(), at);
    let serving = thread::spawn(move || run_with(options, echo));
    let strange: [&[u8]; 3] = [
        b"GET / HTTP/1.1\r\nHost: nobody\r\n\r\n",
        b"cenotaph\x02\0\0\0\x07\0\0\0\x05\0\0\0",
        b"cenotaph\x01\0\0\0\x07\0\0\0\x05\0\0\0\x01\0\x40\0more than 4 MiB",
    ];
    for bytes in strange {
        let mut stream = dial(at);
        stream.write_all(bytes).expect("the server listens");
        // It ends the connection, with or without a farewell.
        let mut heard = Vec::new();
        let _ending = stream.read_to_end(&mut heard);
        assert!(heard.len() <= 20, "{heard:?}");
    }
    let mut stream = dial(at);
    let bye = b"cenotaph\x01\0\0\0\x07\0\0\0\x05\0\0\0\0\0\0\0";
    stream.write_all(bye).expect("the server listens");
    serving
        .join()
        .expect("the thread ends")
        .expect("the server ends well");
}
