//! Steps of the naive model: what is due first, then whoever has been ready longest; every list is
//! searched from its beginning, and nothing is ever taken out early.

use std::collections::VecDeque;

use cenotaph_sim::entropy::mix64;

use super::program::{
    CHANNELS_COUNT, CRASHING_INCARNATION_MAX, Entry, MACHINES_COUNT, Program, Seen, Step,
};

/// What a task waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waiting {
    /// Its next step.
    Nothing,
    Sleep {
        timer: usize,
    },
    Race {
        timer: usize,
        limit: usize,
    },
    Yield,
    Notification {
        channel: usize,
        limit: Option<usize>,
    },
    End {
        child: usize,
    },
    /// It has done its steps, or killed itself.
    Forever,
}

struct Task {
    machine: usize,
    incarnation: u32,
    program: usize,
    id: u64,
    step: usize,
    children_count: u64,
    handles: VecDeque<usize>,
    waiting: Waiting,
    /// It was notified, and has not looked yet.
    is_notified: bool,
    is_queued: bool,
    has_ended: bool,
    is_dropped: bool,
    joined_by: Option<usize>,
}

enum Event {
    Wake { task: usize },
    Boot { machine: usize },
}

struct Timer {
    due: u64,
    event: Event,
    has_fired: bool,
    is_cancelled: bool,
}

#[derive(Default)]
struct Machine {
    incarnation: u32,
    is_up: bool,
    /// A stop that is carried out before anything else: when it boots again.
    stops: bool,
    boots_after: Option<u64>,
    waiters: [Vec<usize>; CHANNELS_COUNT],
    permits: [bool; CHANNELS_COUNT],
}

struct Model<'a> {
    program: &'a Program,
    now: u64,
    tasks: Vec<Task>,
    /// In the order in which they were made.
    timers: Vec<Timer>,
    ready: VecDeque<usize>,
    /// Woken by a waker during the present poll.
    woken: Vec<usize>,
    machines: [Machine; MACHINES_COUNT],
    /// The order in which machines were stopped.
    stops: VecDeque<usize>,
    seen: Seen,
}

/// What is seen of a program under the fair order.
#[must_use]
pub fn predict(program: &Program) -> Seen {
    let mut model = Model {
        program,
        now: 0,
        tasks: Vec::new(),
        timers: Vec::new(),
        ready: VecDeque::new(),
        woken: Vec::new(),
        machines: Default::default(),
        stops: VecDeque::new(),
        seen: Seen::default(),
    };
    for machine in 0..MACHINES_COUNT {
        model.boot(machine);
    }
    while model.go_on() {}
    model.seen.dropped.sort_unstable();
    model.seen
}

impl Model<'_> {
    /// Does one thing; says whether there was one.
    fn go_on(&mut self) -> bool {
        while let Some(machine) = self.stops.pop_front() {
            self.stop(machine);
        }
        let first = |timers: &[Timer], is_due: &dyn Fn(&Timer) -> bool| {
            let due = timers
                .iter()
                .enumerate()
                .filter(|(_, timer)| !timer.has_fired && is_due(timer));
            due.min_by_key(|(index, timer)| (timer.due, *index))
                .map(|(index, _)| index)
        };
        let now = self.now;
        if let Some(timer) = first(&self.timers, &|timer| timer.due <= now) {
            self.fire(timer);
            return true;
        }
        if let Some(task) = self.ready.pop_front() {
            if !self.tasks[task].has_ended && !self.tasks[task].is_dropped {
                self.poll(task);
            }
            return true;
        }
        match first(&self.timers, &|_| true) {
            Some(timer) => self.now = self.timers[timer].due,
            None => return false,
        }
        true
    }

    fn boot(&mut self, machine: usize) {
        let Machine {
            incarnation,
            is_up,
            waiters,
            permits,
            ..
        } = &mut self.machines[machine];
        *incarnation += 1;
        *is_up = true;
        (*waiters, *permits) = Default::default();
        let id = mix64(machine as u64, u64::from(*incarnation));
        self.spawn(machine, machine, id);
    }

    fn spawn(&mut self, machine: usize, program: usize, id: u64) -> usize {
        self.tasks.push(Task {
            machine,
            incarnation: self.machines[machine].incarnation,
            program,
            id,
            step: 0,
            children_count: 0,
            handles: VecDeque::new(),
            waiting: Waiting::Nothing,
            is_notified: false,
            is_queued: false,
            has_ended: false,
            is_dropped: false,
            joined_by: None,
        });
        self.seen.spawned_count += 1;
        let task = self.tasks.len() - 1;
        self.wake(task);
        task
    }

    fn wake(&mut self, task: usize) {
        let state = &mut self.tasks[task];
        if !state.is_queued && !state.has_ended && !state.is_dropped {
            state.is_queued = true;
            self.ready.push_back(task);
        }
    }

    fn arm(&mut self, after: u64, event: Event) -> usize {
        let quantum = self.program.quantum_nanos;
        let due = (self.now + after).div_ceil(quantum) * quantum;
        self.timers.push(Timer {
            due,
            event,
            has_fired: false,
            is_cancelled: false,
        });
        self.timers.len() - 1
    }

    fn fire(&mut self, timer: usize) {
        self.timers[timer].has_fired = true;
        match self.timers[timer].event {
            Event::Wake { task } if !self.timers[timer].is_cancelled => self.wake(task),
            Event::Wake { .. } => {}
            Event::Boot { machine } => self.boot(machine),
        }
    }

    /// A machine's incarnation ends: at once for its tasks' calls, and for the tasks when this poll is over.
    fn end(&mut self, machine: usize, boots_after: Option<u64>) {
        let state = &mut self.machines[machine];
        if state.is_up {
            (state.is_up, state.stops, state.boots_after) = (false, true, boots_after);
            self.stops.push_back(machine);
        }
    }

    fn stop(&mut self, machine: usize) {
        let state = &mut self.machines[machine];
        assert!(
            std::mem::take(&mut state.stops),
            "a machine is stopped once"
        );
        let (incarnation, boots_after) = (state.incarnation, state.boots_after);
        for task in &mut self.tasks {
            let is_here = (task.machine, task.incarnation) == (machine, incarnation);
            if !is_here || task.has_ended || task.is_dropped {
                continue;
            }
            task.is_dropped = true;
            if task.step <= self.program.tasks[task.program].len() {
                self.seen.dropped.push((self.now, task.id));
            }
        }
        for timer in &mut self.timers {
            if let Event::Wake { task } = timer.event
                && self.tasks[task].is_dropped
            {
                timer.is_cancelled = true;
            }
        }
        if let Some(after) = boots_after {
            self.arm(after, Event::Boot { machine });
        }
    }

    fn poll(&mut self, task: usize) {
        self.seen.polls_count += 1;
        self.tasks[task].is_queued = false;
        while let Some(answer) = self.step(task) {
            let Task { id, step, .. } = self.tasks[task];
            self.tasks[task].waiting = Waiting::Nothing;
            self.tasks[task].step += 1;
            self.seen.entries.push(Entry {
                nanos: self.now,
                task: id,
                step,
                answer,
            });
            if answer == 0
                && let Some(Step::Crash {
                    machine,
                    down_nanos,
                }) = self.step_at(task, step)
            {
                self.end(machine, down_nanos);
                if machine == self.tasks[task].machine {
                    self.tasks[task].waiting = Waiting::Forever;
                }
            }
        }
        for woken in std::mem::take(&mut self.woken) {
            self.wake(woken);
        }
    }

    fn step_at(&self, task: usize, step: usize) -> Option<Step> {
        self.program.tasks[self.tasks[task].program]
            .get(step)
            .copied()
    }

    /// Goes on with a task's present step; its answer when it is done.
    fn step(&mut self, task: usize) -> Option<u64> {
        match self.tasks[task].waiting {
            Waiting::Nothing => self.begin(task),
            Waiting::Sleep { timer } => self.timers[timer].has_fired.then_some(0),
            Waiting::Race { timer, limit } => {
                let fired = [timer, limit]
                    .iter()
                    .position(|&timer| self.timers[timer].has_fired)?;
                self.cancel(limit);
                self.cancel(timer);
                Some(fired as u64)
            }
            Waiting::Yield => Some(0),
            Waiting::Notification { channel, limit } => {
                let answer = if std::mem::take(&mut self.tasks[task].is_notified) {
                    0
                } else if limit.is_some_and(|limit| self.timers[limit].has_fired) {
                    let machine = &mut self.machines[self.tasks[task].machine];
                    machine.waiters[channel].retain(|waiter| *waiter != task);
                    1
                } else {
                    return None;
                };
                if let Some(limit) = limit {
                    self.cancel(limit);
                }
                Some(answer)
            }
            Waiting::End { child } => self.tasks[child].has_ended.then_some(0),
            Waiting::Forever => None,
        }
    }

    fn cancel(&mut self, timer: usize) {
        self.timers[timer].is_cancelled = true;
    }

    /// Begins a step; its answer when it is done at once.
    fn begin(&mut self, task: usize) -> Option<u64> {
        let own_machine = self.tasks[task].machine;
        let Some(step) = self.step_at(task, self.tasks[task].step) else {
            return self.begin_end(task);
        };
        let waiting = match step {
            Step::Sleep { nanos: 0 } => return Some(0),
            Step::Sleep { nanos } => Waiting::Sleep {
                timer: self.arm(nanos, Event::Wake { task }),
            },
            Step::Race { nanos: 0, .. } => return Some(0),
            Step::Race { limit_nanos, nanos } => {
                let timer = self.arm(nanos, Event::Wake { task });
                if limit_nanos == 0 {
                    self.cancel(timer);
                    return Some(1);
                }
                let limit = self.arm(limit_nanos, Event::Wake { task });
                Waiting::Race { timer, limit }
            }
            Step::Abandon { nanos } => return Some(u64::from(nanos == 0)),
            Step::Yield => {
                self.woken.push(task);
                Waiting::Yield
            }
            Step::Wait { channel } => return self.begin_wait(task, channel, None),
            Step::WaitUntil {
                channel,
                limit_nanos,
            } => {
                return self.begin_wait(task, channel, Some(limit_nanos));
            }
            Step::NotifyOne { channel } => return Some(self.notify_first(own_machine, channel)),
            Step::NotifyAll { channel } => {
                let machine = &mut self.machines[own_machine];
                for waiter in std::mem::take(&mut machine.waiters[channel]) {
                    self.notify(waiter);
                }
                return Some(0);
            }
            Step::Spawn { task: program } => {
                let Task {
                    id, children_count, ..
                } = self.tasks[task];
                self.tasks[task].children_count += 1;
                let child = self.spawn(own_machine, program, mix64(id, children_count));
                self.tasks[task].handles.push_back(child);
                return Some(0);
            }
            Step::Join => match self.tasks[task].handles.pop_front() {
                None => return Some(2),
                Some(child) if self.tasks[child].has_ended => return Some(0),
                Some(child) => {
                    self.tasks[child].joined_by = Some(task);
                    Waiting::End { child }
                }
            },
            Step::Detach => {
                self.tasks[task].handles.pop_front();
                return Some(0);
            }
            Step::Crash { .. } => {
                let is_late = self.tasks[task].incarnation > CRASHING_INCARNATION_MAX;
                return Some(u64::from(is_late));
            }
        };
        self.tasks[task].waiting = waiting;
        None
    }

    fn begin_wait(&mut self, task: usize, channel: usize, limit_nanos: Option<u64>) -> Option<u64> {
        let machine = &mut self.machines[self.tasks[task].machine];
        if std::mem::take(&mut machine.permits[channel]) {
            return Some(0);
        }
        if limit_nanos == Some(0) {
            return Some(1);
        }
        machine.waiters[channel].push(task);
        let limit = limit_nanos.map(|nanos| self.arm(nanos, Event::Wake { task }));
        self.tasks[task].waiting = Waiting::Notification { channel, limit };
        None
    }

    /// Notifies the longest waiting task, or the next that will wait.
    fn notify_first(&mut self, machine: usize, channel: usize) -> u64 {
        let machine = &mut self.machines[machine];
        if machine.waiters[channel].is_empty() {
            machine.permits[channel] = true;
        } else {
            let waiter = machine.waiters[channel].remove(0);
            self.notify(waiter);
        }
        0
    }

    fn notify(&mut self, waiter: usize) {
        self.tasks[waiter].is_notified = true;
        self.woken.push(waiter);
    }

    /// A task that has done its steps says so, and ends; with a main task its machine, unless it stays.
    fn begin_end(&mut self, task: usize) -> Option<u64> {
        let Task {
            machine,
            program,
            step,
            ..
        } = self.tasks[task];
        if step > self.program.tasks[program].len() {
            self.tasks[task].waiting = Waiting::Forever;
            if program >= MACHINES_COUNT {
                self.tasks[task].has_ended = true;
                self.woken.extend(self.tasks[task].joined_by);
            } else if !self.program.stays[machine] {
                self.tasks[task].has_ended = true;
                self.end(machine, None);
            }
            return None;
        }
        Some(0)
    }
}
