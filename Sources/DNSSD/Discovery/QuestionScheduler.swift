/// When each question of one link is asked: soon, after a second, and then ever more rarely (RFC 6762 section 5.2).
struct QuestionScheduler {
    /// A question that is due.
    struct Due {
        let question: DNSQuestion
        /// Whether it has not been asked before.
        let isFirst: Bool
    }

    fileprivate struct Schedule {
        /// `nil` once the question has been asked as often as it may.
        var due: Instant?
        /// How long the wait for ``due`` is in all.
        var wait: Duration
        var interval = QuestionTiming.firstInterval
        var asked = 0
        var limit: Int?
        /// When another host asked the same last, by IP version.
        var heard: [IPFamily: Instant] = [:]
    }

    private var schedules: [DNSQuestion: Schedule] = [:]
    private var queue = DeadlineQueue<DNSQuestion>()
    private var firstOfBatch: Instant?
    private var pauseEnd: Instant?

    /// When ``advance(to:)`` may have something to do; `nil` if it certainly has nothing.
    var deadline: Instant? {
        queue.next.map { next in pauseEnd.map { max($0, next) } ?? next }
    }

    /// Starts to ask a question, unless it is being asked already.
    ///
    /// - Parameter limit: How often to ask at most; `nil` for as long as nobody stops it.
    mutating func ask(_ question: DNSQuestion, limit: Int? = nil, at now: Instant, jitter: inout Jitter) {
        if var schedule = schedules[question] {
            schedule.limit = limit
            if let limit, schedule.asked >= limit {
                schedule.due = nil
            }
            schedules[question] = schedule
            return
        }
        // Questions that arise together are asked together.
        let due: Instant
        if let firstOfBatch, firstOfBatch > now {
            due = firstOfBatch
        } else {
            due = now.advanced(by: jitter.delay(in: QuestionTiming.initialDelay))
            firstOfBatch = due
        }
        schedules[question] = Schedule(due: due, wait: now.duration(to: due), limit: limit)
        queue.insert(question, at: due)
    }

    /// Stops asking a question.
    mutating func stop(_ question: DNSQuestion) {
        guard schedules.removeValue(forKey: question) != nil, schedules.isEmpty else { return }
        queue.removeAll()
    }

    /// Asks a question as if it had never been asked.
    mutating func askAnew(_ question: DNSQuestion, at now: Instant, jitter: inout Jitter) {
        let limit = schedules.removeValue(forKey: question)?.limit
        ask(question, limit: limit, at: now, jitter: &jitter)
    }

    /// Whether a question is being asked.
    func isAsking(_ question: DNSQuestion) -> Bool {
        schedules[question]?.due != nil
    }

    /// Another host has just asked the same, so we need not (RFC 6762 section 7.3). Only where we were about to ask: the
    /// questions of others, however many, do not silence us.
    ///
    /// - Parameters:
    ///   - family: Over which IP version it was asked.
    ///   - families: Over which we ask. What was asked over one of two has not been heard by everyone.
    mutating func wasAskedByAnother(
        _ question: DNSQuestion,
        over family: IPFamily,
        of families: Set<IPFamily>,
        at now: Instant
    ) {
        guard let schedule = schedules[question], let due = schedule.due, now.duration(to: due) <= schedule.wait / 2
        else { return }
        schedules[question]?.heard[family] = now
        let missed = families.subtracting([family]).filter { other in
            schedule.heard[other].map { $0.duration(to: now) >= QuestionTiming.firstInterval } ?? true
        }
        if missed.isEmpty {
            step(question, at: now)
        }
    }

    /// The questions that are due, those first that have been due for longest. At most
    /// ``QuestionTiming/maximumBatch`` at a time, with a pause before the others.
    mutating func advance(to now: Instant) -> [Due] {
        guard let deadline, deadline <= now else { return [] }
        var due: [Due] = []
        while due.count < QuestionTiming.maximumBatch, let (moment, question) = queue.popFirst(dueAt: now) {
            guard let schedule = schedules[question], schedule.due == moment else { continue }
            due.append(Due(question: question, isFirst: schedule.asked == 0))
            step(question, at: now)
        }
        pauseEnd = due.isEmpty ? nil : now.advanced(by: QuestionTiming.batchInterval)
        return due
    }

    private mutating func step(_ question: DNSQuestion, at now: Instant) {
        guard schedules[question]?.due != nil else { return }
        schedules[question]?.step(at: now)
        if let due = schedules[question]?.due {
            queue.insert(question, at: due)
        }
    }
}

extension QuestionScheduler.Schedule {
    fileprivate mutating func step(at now: Instant) {
        asked += 1
        wait = interval
        due = limit.map { asked < $0 } ?? true ? now.advanced(by: interval) : nil
        interval = min(interval * QuestionTiming.backoffFactor, QuestionTiming.longestInterval)
    }
}
