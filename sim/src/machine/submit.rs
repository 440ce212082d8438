//! Steps of a request: count it, let faults strike, draw how long it takes, carry it out when it is
//! due, wake who waits. Dropping the future cancels nothing.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use super::ground::{Due, Ground};
use super::place::Place;
use super::request::{Operation, Response, result_word};
use super::strike::{Injected, counter_of};
use super::waits::Waiter;
use crate::entropy::{mix64, scale};
use crate::network::Address;
use crate::trace::Kind;

/// A request that was made and has not been answered.
#[derive(Debug)]
pub(super) struct InFlight {
    pub(super) machine: Address,
    pub(super) number: u64,
    pub(super) counter: u64,
    pub(super) ordinal: u64,
    pub(super) operation: Operation,
    pub(super) injected: Option<Injected>,
    waiter: Option<Waiter>,
    answer: Option<io::Result<Response>>,
    detached: bool,
}

/// All requests in flight, by slot.
#[derive(Debug, Default)]
pub(super) struct Requests {
    slots: Vec<Option<InFlight>>,
    free: Vec<u32>,
    next_number: u64,
}

impl Requests {
    fn insert(&mut self, request: InFlight) -> u32 {
        if let Some(slot) = self.free.pop() {
            self.slots[slot as usize] = Some(request);
            return slot;
        }
        self.slots.push(Some(request));
        u32::try_from(self.slots.len() - 1).expect("fewer than 2^32 requests in flight")
    }

    fn get(&mut self, slot: u32, number: u64) -> Option<&mut InFlight> {
        self.slots
            .get_mut(slot as usize)?
            .as_mut()
            .filter(|request| request.number == number)
    }

    fn remove(&mut self, slot: u32) -> Option<InFlight> {
        let request = self.slots.get_mut(slot as usize)?.take();
        if request.is_some() {
            self.free.push(slot);
        }
        request
    }
}

/// The future of a request's answer.
#[derive(Debug)]
#[must_use = "the answer of a request says whether it was done"]
pub struct Submitted {
    place: Rc<Place>,
    slot: u32,
    number: u64,
    done: bool,
}

impl Ground {
    /// Makes a request. `role_hash` names the file's role.
    pub fn submit(&self, place: &Rc<Place>, role_hash: u64, operation: Operation) -> Submitted {
        let machine = place.machine();
        let counter = counter_of(role_hash, operation.kind());
        let (ordinal, number_of_all, key, timing) = {
            let mut machines = self.machines.borrow_mut();
            let machine = &mut machines[machine.0 as usize];
            let ordinal = machine.next_ordinal(counter);
            let number_of_all = machine.next_number();
            (
                ordinal,
                number_of_all,
                machine.key,
                machine.options.disk_timing,
            )
        };
        let word = key.word(mix64(
            mix64(u64::from(place.incarnation()), counter),
            ordinal,
        ));
        let operation = shorten(operation, word, timing.short.strikes((word >> 32) as u32));
        let words = [counter, ordinal, operation.word()];
        self.event(Kind::Request, words, || {
            format!("{operation:?} (request {ordinal})")
        });
        let injected = self.strike_request(machine, &operation, counter, (ordinal, number_of_all));
        let syncs = matches!(
            operation,
            Operation::SyncData { .. } | Operation::SyncAll { .. } | Operation::SyncDir { .. }
        );
        let base_nanos = if syncs {
            timing.sync_nanos
        } else {
            timing.base_nanos
        };
        let took_nanos = base_nanos + scale(word & 0xffff_ffff, base_nanos);
        let due = self.quantise(
            self.now()
                .after(std::time::Duration::from_nanos(took_nanos)),
        );
        let mut requests = self.requests.borrow_mut();
        let number = requests.next_number;
        requests.next_number += 1;
        let slot = requests.insert(InFlight {
            machine,
            number,
            counter,
            ordinal,
            operation,
            injected,
            waiter: None,
            answer: None,
            detached: false,
        });
        self.queue
            .borrow_mut()
            .push(due, Due::Request { slot, number });
        Submitted {
            place: Rc::clone(place),
            slot,
            number,
            done: false,
        }
    }

    /// Carries a request out and answers it.
    pub(super) fn complete(&self, slot: u32, number: u64) {
        let mut requests = self.requests.borrow_mut();
        let Some(request) = requests.get(slot, number) else {
            return;
        };
        let answer = {
            let mut machines = self.machines.borrow_mut();
            let machine = &mut machines[request.machine.0 as usize];
            match (request.injected, request.operation.handle()) {
                (Some(Injected::FailSync), Some(handle)) => {
                    Err(machine.disk.fail_sync(handle).into())
                }
                (Some(Injected::Error), _) => {
                    let word = machine.word_of_failure(request.counter, request.ordinal);
                    if request.operation.execute_failed(&mut machine.disk, word) > 0 {
                        self.mark("disk.failed-write-left");
                    }
                    Err(Injected::Error.error())
                }
                (Some(injected), _) => Err(injected.error()),
                (None, _) => {
                    let answer = request.operation.execute(&mut machine.disk);
                    answer.map_err(io::Error::from)
                }
            }
        };
        let words = [request.counter, request.ordinal, result_word(&answer)];
        let (machine, counter, ordinal) = (request.machine, request.counter, request.ordinal);
        self.show_disk(machine, (counter, ordinal), &request.operation);
        self.strike_completion(machine, counter, ordinal);
        self.event(Kind::Complete, words, || {
            format!("request {ordinal}: {answer:?}")
        });
        if request.detached {
            requests.remove(slot);
            drop(requests);
            self.give_back(machine, answer);
            return;
        }
        request.answer = Some(answer);
        let waiter = request.waiter.take();
        drop(requests);
        if let Some(waiter) = waiter {
            self.wake(waiter);
        }
    }

    /// Gives back what an answer holds that nobody will hear.
    fn give_back(&self, machine: Address, answer: io::Result<Response>) {
        let disk = &mut self.machines.borrow_mut()[machine.0 as usize].disk;
        match answer {
            Ok(Response::Handle(handle)) => disk.close(handle),
            Ok(Response::Lock(lock)) => disk.unlock(lock),
            _ => {}
        }
    }

    /// Takes out the requests of a machine that were made and not carried out, oldest first.
    pub(super) fn take_in_flight(&self, machine: Address) -> Vec<InFlight> {
        let mut requests = self.requests.borrow_mut();
        let mut taken = Vec::new();
        for index in 0..requests.slots.len() {
            let slot = requests.slots[index].as_ref();
            if slot.is_some_and(|request| request.machine == machine) {
                let slot = u32::try_from(index).expect("fewer than 2^32 requests in flight");
                taken.extend(requests.remove(slot));
            }
        }
        taken.retain(|request| request.answer.is_none());
        taken.sort_by_key(|request| request.number);
        taken
    }
}

/// A read or write of several bytes may move fewer than asked.
fn shorten(operation: Operation, word: u64, strikes: bool) -> Operation {
    if !strikes {
        return operation;
    }
    let shorter = |size: usize| 1 + usize::try_from(word & 0xffff).unwrap_or(0) % size.max(1);
    match operation {
        Operation::Read {
            handle,
            offset,
            size,
        } => Operation::Read {
            handle,
            offset,
            size: size.min(shorter(size)),
        },
        Operation::Write {
            handle,
            offset,
            bytes,
        } => {
            let size = bytes.len().min(shorter(bytes.len()));
            Operation::Write {
                handle,
                offset,
                bytes: bytes.slice(..size),
            }
        }
        whole => whole,
    }
}

impl Future for Submitted {
    type Output = io::Result<Response>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(ground) = self.place.ground() else {
            return Poll::Pending;
        };
        let mut requests = ground.requests.borrow_mut();
        let Some(request) = requests.get(self.slot, self.number) else {
            return Poll::Pending;
        };
        if let Some(answer) = request.answer.take() {
            requests.remove(self.slot);
            drop(requests);
            self.done = true;
            return Poll::Ready(answer);
        }
        request.waiter = Some(ground.waiter(context));
        Poll::Pending
    }
}

impl Drop for Submitted {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        let Some(ground) = self.place.ground() else {
            return;
        };
        let mut requests = ground.requests.borrow_mut();
        let Some(request) = requests.get(self.slot, self.number) else {
            return;
        };
        request.waiter = None;
        request.detached = true;
        if request.answer.is_some() {
            let request = requests
                .remove(self.slot)
                .expect("it was there a moment ago");
            drop(requests);
            if let Some(answer) = request.answer {
                ground.give_back(request.machine, answer);
            }
        }
    }
}
