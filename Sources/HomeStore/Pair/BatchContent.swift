package import HomeModel

/// What a batch changes. All its steps are carried out, or none.
///
/// Both hubs apply the same batches in the same order to the same state, so whatever is drawn is drawn by the leader and is
/// part of the content.
package struct BatchContent: Hashable, Sendable {
    /// A part of the content.
    package enum Step: Hashable, Sendable {
        /// Append entries, and remove logs.
        case append([BatchDraft], removing: [LogID])
        /// Claim firings. State is stored with each claim that is new.
        case claim([FiringClaim], updating: [Int: [StateKey: [UInt8]?]])
        /// End a firing, and store state.
        case complete(FiringClaim, updating: [StateKey: [UInt8]?])
        /// Store state of automations.
        case setStates([StateKey: [UInt8]?])
        /// Store secrets that both hubs have; `nil` removes one.
        case setSecrets([SecretKey: [UInt8]?])
        /// Store a value of the metadata that both hubs have; `nil` removes it.
        case setMetadata(MetadataKey, String?)
        /// A part of the bytes of a larger content, which has no other step. The last part carries it out.
        case part([UInt8], isLast: Bool)
    }

    /// What a step did.
    package enum StepResult: Hashable, Sendable {
        /// The appended entries, in the order of the drafts.
        case appended([AppendedEntry])
        /// For each claim, whether it is new.
        case claimed([Bool])
        /// A step without a result.
        case done
    }

    /// The steps, in order.
    package var steps: [Step]

    /// Creates content.
    package init(_ steps: [Step]) {
        self.steps = steps
    }
}
