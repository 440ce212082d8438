//! Steps of playing a program: every machine sends its packets when it is time, and logs what it hears.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use cenotaph_sim::disk::CrashKind;
use cenotaph_sim::entropy::RunKey;
use cenotaph_sim::fault::{Anchor, Fault, FaultKind};
use cenotaph_sim::host::{Address, Host};
use cenotaph_sim::network::Barrier;
use cenotaph_sim::time::Instant;
use cenotaph_sim::trace::Fingerprint;
use cenotaph_sim::world::{
    Controls, Limits, MachineOptions, RunEnd, World, WorldOptions, software,
};

use super::program::{Act, Program, QUANTUM_NANOS};

/// A packet that a machine took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heard {
    /// When.
    pub nanos: u64,
    /// Who heard it.
    pub by: usize,
    /// Who it says sent it.
    pub from: usize,
    /// The sender's incarnation, as it says.
    pub incarnation: u32,
    /// The act that sent it.
    pub act: usize,
    /// Bytes beside the number.
    pub size: usize,
}

/// What is seen of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// The acts whose packets were sent, with the sender's incarnation.
    pub sent: Vec<(usize, u32)>,
    /// What was heard, in order.
    pub heard: Vec<Heard>,
    /// Packets that arrived twice.
    pub doubled_count: u64,
    /// Packets that were lost, of those that a link doubled each by itself: to chance, to partitions, to faults,
    /// and to receivers that were down.
    pub lost_counts: [u64; 4],
    /// The run's fingerprint.
    pub fingerprint: Fingerprint,
}

struct Shared {
    program: Program,
    controls: Controls,
    played: RefCell<Played>,
}

/// Plays a program to its end: until nothing is due any more.
///
/// # Panics
/// When the run ends in another way.
#[must_use]
pub fn play(program: &Program, key: u64) -> Played {
    let mut options = WorldOptions::new(RunKey(key));
    options.quantum_nanos = QUANTUM_NANOS;
    options.link = program.link;
    let mut world = World::new(options);
    let shared = Rc::new(Shared {
        program: program.clone(),
        controls: world.controls(),
        played: RefCell::default(),
    });
    for machine in 0..program.machines_count {
        let shared = Rc::clone(&shared);
        let main = software(move |host| live(Rc::clone(&shared), host, machine));
        world.add_machine(MachineOptions::new(&format!("m{machine}")), main);
    }
    for (at_nanos, act) in &program.acts {
        if let Some(kind) = fault(act) {
            let anchor = Anchor::At(Instant::from_nanos(*at_nanos));
            world.add_fault(Fault { anchor, kind });
        }
    }
    for machine in 0..program.machines_count {
        world.boot(address(machine));
    }
    let end = world.run(Limits::default());
    assert!(
        matches!(end, RunEnd::Deadlock { .. }),
        "a program comes to its end: {end}"
    );
    let mut played = shared.played.take();
    let marks = world.marks();
    played.doubled_count = marks.count("network.doubled");
    played.lost_counts = ["lost", "partitioned", "dropped", "unheard"]
        .map(|loss| marks.count(&format!("network.{loss}")));
    played.fingerprint = world.trace().fingerprint().clone();
    played
}

fn address(machine: usize) -> Address {
    Address(u32::try_from(machine).expect("few machines"))
}

fn machine_of(address: Address) -> usize {
    usize::try_from(address.0).expect("few machines")
}

fn fault(act: &Act) -> Option<FaultKind> {
    Some(match *act {
        Act::Send(_) => return None,
        Act::Partition {
            left,
            right,
            way,
            closed,
            nanos,
        } => FaultKind::Partition {
            barrier: Barrier {
                left: vec![address(left)],
                right: vec![address(right)],
                way,
                closed,
            },
            duration: Duration::from_nanos(nanos),
        },
        Act::Drop { count } => FaultKind::DropPackets { count },
        Act::Crash {
            machine,
            down_nanos,
        } => FaultKind::Crash {
            machine: address(machine),
            how: CrashKind::ProcessKill,
            down: Duration::from_nanos(down_nanos),
        },
    })
}

/// Sends what is yet to be sent, and listens for ever.
async fn live(shared: Rc<Shared>, host: Host, machine: usize) -> Result<(), String> {
    let (sender, sending) = (host.clone(), Rc::clone(&shared));
    host.spawn("sender", async move {
        for (index, (at_nanos, act)) in sending.program.acts.iter().enumerate() {
            let Act::Send(send) = act else { continue };
            let now = sending.controls.now().as_nanos();
            let is_sent = sending
                .played
                .borrow()
                .sent
                .iter()
                .any(|(act, _)| *act == index);
            if send.from != machine || *at_nanos < now || is_sent {
                continue;
            }
            sender
                .clock()
                .sleep(Duration::from_nanos(at_nanos - now))
                .await;
            let mut bytes = (index as u64).to_le_bytes().to_vec();
            bytes.resize(8 + usize::from(send.size), 7);
            sending
                .played
                .borrow_mut()
                .sent
                .push((index, sender.incarnation()));
            let sent = sender.network().send(address(send.to), Bytes::from(bytes));
            sent.expect("packets are small");
        }
    });
    loop {
        let packet = host.network().recv().await;
        let (number, rest) = packet.bytes.split_at(8);
        let number = u64::from_le_bytes(number.try_into().expect("eight bytes"));
        shared.played.borrow_mut().heard.push(Heard {
            nanos: shared.controls.now().as_nanos(),
            by: machine,
            from: machine_of(packet.from),
            incarnation: packet.incarnation,
            act: usize::try_from(number).expect("few acts"),
            size: rest.len(),
        });
    }
}
