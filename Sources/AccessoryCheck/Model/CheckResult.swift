/// The result of one check.
package struct CheckResult: Hashable, Sendable {
    /// What came of the check.
    package enum Outcome: Hashable, Sendable {
        /// The accessory meets the requirement.
        case passed
        /// It doesn't, and this was seen.
        case failed(String)
        /// It doesn't meet a requirement with which controllers cope, and this was seen.
        case warning(String)
        /// The requirement doesn't apply, or couldn't be tested, for this reason.
        case notApplicable(String)
    }

    /// The check's ID.
    package let id: String
    /// What came of it.
    package let outcome: Outcome

    /// Creates a result.
    package init(id: String, outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }

    /// The name of the check's group, which is the first part of its ID.
    package var group: String { String(id.prefix { $0 != "." }) }

    /// Whether this result fails a run.
    ///
    /// - Parameter isStrict: Whether warnings do too.
    package func isFailure(isStrict: Bool) -> Bool {
        switch outcome {
        case .failed: true
        case .warning: isStrict
        case .passed, .notApplicable: false
        }
    }

    /// The outcome in one word or two.
    package var word: String {
        switch outcome {
        case .passed: "passed"
        case .failed: "failed"
        case .warning: "warning"
        case .notApplicable: "not applicable"
        }
    }

    /// What was seen, or the reason.
    package var detail: String? {
        switch outcome {
        case .passed: nil
        case .failed(let seen), .warning(let seen): seen
        case .notApplicable(let reason): reason
        }
    }
}
