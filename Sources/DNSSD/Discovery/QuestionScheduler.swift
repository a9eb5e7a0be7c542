/// When each question of one link is asked: soon, after a second, and then ever more rarely (RFC 6762 section 5.2).
struct QuestionScheduler {
    fileprivate struct Schedule {
        /// `nil` once the question has been asked as often as it may.
        var due: Moment?
        var interval = QuestionTiming.firstInterval
        var asked = 0
        var limit: Int?
    }

    private var schedules: [DNSQuestion: Schedule] = [:]
    private var firstOfBatch: Moment?
    /// When ``advance(to:)`` may have something to do; `nil` if it certainly has nothing.
    private(set) var deadline: Moment?

    /// Starts to ask a question, unless it is being asked already.
    ///
    /// - Parameter limit: How often to ask at most; `nil` for as long as nobody stops it.
    mutating func ask(_ question: DNSQuestion, limit: Int? = nil, at now: Moment, jitter: inout Jitter) {
        if var schedule = schedules[question] {
            schedule.limit = limit
            if let limit, schedule.asked >= limit {
                schedule.due = nil
            }
            schedules[question] = schedule
            return
        }
        // Questions that arise together are asked together.
        let due: Moment
        if let firstOfBatch, firstOfBatch > now {
            due = firstOfBatch
        } else {
            due = now.advanced(by: jitter.delay(in: QuestionTiming.initialDelay))
            firstOfBatch = due
        }
        schedules[question] = Schedule(due: due, limit: limit)
        deadline = deadline.earlier(due)
    }

    /// Stops asking a question.
    mutating func stop(_ question: DNSQuestion) {
        schedules[question] = nil
        deadline = schedules.isEmpty ? nil : deadline
    }

    /// Whether a question is being asked.
    func isAsking(_ question: DNSQuestion) -> Bool {
        schedules[question]?.due != nil
    }

    /// Another host has just asked the same, so we need not (RFC 6762 section 7.3).
    mutating func wasAskedByAnother(_ question: DNSQuestion, at now: Moment) {
        schedules[question]?.step(at: now)
    }

    /// The questions that are due.
    mutating func advance(to now: Moment) -> [DNSQuestion] {
        guard let deadline, deadline <= now else { return [] }
        let due = schedules.filter { $0.value.due.map { $0 <= now } ?? false }.map(\.key)
        for question in due {
            schedules[question]?.step(at: now)
        }
        self.deadline = schedules.values.lazy.compactMap(\.due).min()
        return due
    }
}

extension QuestionScheduler.Schedule {
    fileprivate mutating func step(at now: Moment) {
        guard due != nil else { return }
        asked += 1
        due = limit.map { asked < $0 } ?? true ? now.advanced(by: interval) : nil
        interval = min(interval * QuestionTiming.backoffFactor, QuestionTiming.longestInterval)
    }
}
