//! Steps of a connection: dial or accept, exchange hellos, then read and write until one of them ends;
//! whatever ends it is a loss of packets, and no error of anyone's.

use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader, BufWriter};
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::net::{TcpListener, TcpStream};

use super::frame::{HELLO_SIZE, Hello, decode_size, encode_size};
use super::outgoing::Outgoing;
use super::race::race;
use super::switch::Line;
use crate::network::{Address, Packet};
use crate::os::Machine;
use crate::sync::timeout;

/// How long dialling and hellos may take together.
const GREETING_TIME: Duration = Duration::from_secs(5);

/// How long one packet may take to be handed to the system, before the other end counts as gone.
const WRITE_TIME: Duration = Duration::from_secs(15);

/// How long to wait when the system has no connection to give.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Accepted connections at a time; more are closed at once.
const ACCEPTED_COUNT_MAX: usize = 1024;

impl Machine {
    /// Accepts connections from now on.
    pub(in crate::os) async fn listen(self: &Rc<Machine>, at: SocketAddr) -> io::Result<()> {
        let listener = TcpListener::bind(at).await?;
        let accepting = Rc::clone(self).accept(listener);
        self.spawn("network accept", Box::pin(accepting));
        Ok(())
    }

    async fn accept(self: Rc<Machine>, listener: TcpListener) {
        loop {
            let stream = match listener.accept().await {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::warn!(target: "os", "accept: {error}");
                    self.sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            };
            let count = &self.switch.accepted_count;
            if count.get() >= ACCEPTED_COUNT_MAX {
                tracing::warn!(target: "os", "a connection too many is closed");
                continue;
            }
            count.set(count.get() + 1);
            let answering = Rc::clone(&self).answer(stream);
            self.spawn("network answer", Box::pin(answering));
        }
    }

    async fn answer(self: Rc<Machine>, mut stream: TcpStream) {
        let greeting = timeout(self.sleep(GREETING_TIME), self.greet(&mut stream)).await;
        match greeting.unwrap_or_else(|late| Err(io::Error::other(late))) {
            Ok(hello) => {
                let line = self.switch.welcome(hello);
                self.converse(&mut stream, hello, &line).await;
            }
            Err(error) => tracing::debug!(target: "os", "a stranger: {error}"),
        }
        let count = &self.switch.accepted_count;
        count.set(count.get() - 1);
    }

    /// Reaches a peer over `line`, whose queue fills in the meantime.
    pub(super) async fn dial(self: Rc<Machine>, to: Address, at: SocketAddr, line: Line) {
        let reaching = timeout(self.sleep(GREETING_TIME), self.reach(to, at)).await;
        match reaching.unwrap_or_else(|late| Err(io::Error::other(late))) {
            Ok((mut stream, hello)) => {
                self.switch.greeted(&line, hello);
                self.converse(&mut stream, hello, &line).await;
            }
            Err(error) => {
                tracing::debug!(target: "os", "machine {} at {at}: {error}", to.0);
                self.switch.pause(to, self.monotonic());
                self.switch.hang_up(to, &line);
            }
        }
    }

    async fn reach(&self, to: Address, at: SocketAddr) -> io::Result<(TcpStream, Hello)> {
        let mut stream = TcpStream::connect(at).await?;
        let hello = self.greet(&mut stream).await?;
        if hello.address != to {
            let text = format!("machine {} answers", hello.address.0);
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        Ok((stream, hello))
    }

    async fn greet(&self, stream: &mut TcpStream) -> io::Result<Hello> {
        // Packets are whole messages: to hold them back in the hope of more only delays them.
        stream.set_nodelay(true)?;
        let own = Hello {
            address: self.address(),
            incarnation: self.incarnation(),
        };
        stream.write_all(&own.encode()).await?;
        let mut bytes = [0_u8; HELLO_SIZE];
        stream.read_exact(&mut bytes).await?;
        Hello::decode(&bytes).map_err(invalid)
    }

    async fn converse(&self, stream: &mut TcpStream, with: Hello, line: &Line) {
        let (reader, writer) = stream.split();
        let ended = race(self.hear(reader, with), self.say(writer, &line.outgoing)).await;
        if let Err(error) = ended {
            tracing::debug!(target: "os", "machine {} is lost: {error}", with.address.0);
        }
        self.switch.hang_up(with.address, line);
    }

    async fn hear(&self, reader: ReadHalf<'_>, from: Hello) -> io::Result<()> {
        let mut reader = BufReader::new(reader);
        loop {
            let mut size = [0_u8; 4];
            reader.read_exact(&mut size).await?;
            let mut bytes = vec![0_u8; decode_size(size).map_err(invalid)?];
            reader.read_exact(&mut bytes).await?;
            self.switch.inbox.put(Packet {
                from: from.address,
                incarnation: from.incarnation,
                bytes: Bytes::from(bytes),
            });
        }
    }

    async fn say(&self, writer: WriteHalf<'_>, outgoing: &Outgoing) -> io::Result<()> {
        let mut writer = BufWriter::new(writer);
        loop {
            while let Some(bytes) = outgoing.take() {
                self.in_time(writer.write_all(&encode_size(bytes.len())))
                    .await?;
                self.in_time(writer.write_all(&bytes)).await?;
            }
            self.in_time(writer.flush()).await?;
            if !outgoing.wait().await {
                return Ok(());
            }
        }
    }

    async fn in_time(&self, write: impl Future<Output = io::Result<()>>) -> io::Result<()> {
        timeout(self.sleep(WRITE_TIME), write)
            .await
            .unwrap_or_else(|late| Err(io::Error::other(late)))
    }
}

fn invalid(error: super::frame::FrameError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
