/// One figure of a report: what was measured, and what it is to be held against.
struct Row {
    let what: String
    let unit: String
    let goal: Goal
    /// The published figure of the reference kit, as it was written.
    var kit = ""
    /// HAP-python's in the same run, if it has one.
    var theirs: Samples?
    let ours: Samples

    var isMissed: Bool { !goal.isMet(by: ours) }
}
