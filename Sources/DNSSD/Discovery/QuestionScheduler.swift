/// Schedules the questions of one link: soon, after a second, and then at increasing intervals (RFC 6762 section 5.2).
struct QuestionScheduler {
    /// A question that is due.
    struct Due {
        let question: DNSQuestion
        /// Whether the question is asked for the first time.
        let isFirst: Bool
    }

    fileprivate struct Schedule {
        /// `nil` if the question has reached its limit.
        var due: Instant?
        /// The total time from scheduling until ``due``.
        var wait: Duration
        var interval = QuestionTiming.firstInterval
        var asked = 0
        var limit: Int?
        /// The last time another host asked the same question, by IP version.
        var askedByOthers: [IPFamily: Instant] = [:]
    }

    private var schedules: [DNSQuestion: Schedule] = [:]
    private var queue = DeadlineQueue<DNSQuestion>()
    private var firstOfBatch: Instant?
    private var pauseEnd: Instant?

    /// The time at which ``advance(to:)`` may have something to do; `nil` if it has nothing to do.
    var deadline: Instant? {
        queue.next.map { next in pauseEnd.map { max($0, next) } ?? next }
    }

    /// Starts to ask a question, unless it is already being asked.
    ///
    /// - Parameter limit: The maximum number of times to ask; `nil` until it is stopped.
    mutating func ask(_ question: DNSQuestion, limit: Int? = nil, at now: Instant, jitter: inout Jitter) {
        if var schedule = schedules[question] {
            schedule.limit = limit
            if let limit, schedule.asked >= limit {
                schedule.due = nil
            }
            schedules[question] = schedule
            return
        }
        // Questions that arise at the same time are asked together.
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
    mutating func askAgain(_ question: DNSQuestion, at now: Instant, jitter: inout Jitter) {
        let limit = schedules.removeValue(forKey: question)?.limit
        ask(question, limit: limit, at: now, jitter: &jitter)
    }

    /// Returns whether a question is being asked.
    func isAsking(_ question: DNSQuestion) -> Bool {
        schedules[question]?.due != nil
    }

    /// Skips a question that another host has just asked (RFC 6762 section 7.3). Only applies if the question is about
    /// to be asked, so that other hosts can't suppress the questions of this host.
    ///
    /// - Parameters:
    ///   - family: The IP version of the other host's query.
    ///   - families: The IP versions in use on the link. A query over one of two may not have reached all hosts.
    mutating func wasAskedByAnother(
        _ question: DNSQuestion,
        over family: IPFamily,
        of families: Set<IPFamily>,
        at now: Instant
    ) {
        guard let schedule = schedules[question], let due = schedule.due, now.duration(to: due) <= schedule.wait / 2
        else { return }
        schedules[question]?.askedByOthers[family] = now
        let missed = families.subtracting([family]).filter { other in
            schedule.askedByOthers[other].map { $0.duration(to: now) >= QuestionTiming.firstInterval } ?? true
        }
        if missed.isEmpty {
            step(question, at: now)
        }
    }

    /// Returns the questions that are due, longest overdue first. At most ``QuestionTiming/maximumBatch`` are returned
    /// at a time, with a pause before the next ones.
    mutating func advance(to now: Instant) -> [Due] {
        guard let deadline, deadline <= now else { return [] }
        var due: [Due] = []
        while due.count < QuestionTiming.maximumBatch, let (instant, question) = queue.popFirst(dueAt: now) {
            guard let schedule = schedules[question], schedule.due == instant else { continue }
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
        interval = min(interval * QuestionTiming.backoffFactor, QuestionTiming.maximumInterval)
    }
}
