package import HubAPI

extension TriggerSentence {
    /// Returns why a trigger would not run, or did not: “its condition is false”. In the past: “its condition was false”.
    package func reason(_ outcome: TriggerOutcome, _ tense: Language.Tense = .present) -> String {
        let phrase: Phrase? =
            switch outcome {
            case .conditionFalse: .conditionFalse
            case .wrongWeekday: .wrongWeekday
            case .disabled: .disabled
            case .missed: .missed
            case .interrupted: .interrupted
            case .loopStopped: .loopStopped
            case .clockNotSet: .clockNotSet
            case .noPlace: .noPlace
            case .notStored: .notStored
            case .begunByOtherHub: .begunByOtherHub
            case .late: .late
            case .takeover: .takeover
            default: nil
            }
        return phrase.map { language.text($0, [:], tense) } ?? outcome.rawValue
    }
}
