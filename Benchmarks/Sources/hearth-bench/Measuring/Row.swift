/// One figure of a report, and the figures that it is compared with.
struct Row {
    let what: String
    let unit: String
    let goal: Goal
    /// The reference kit's published figure, as text.
    var kit = ""
    /// HAP-python's figure in the same run, if any.
    var theirs: Samples?
    let ours: Samples

    var isMissed: Bool { !goal.isMet(by: ours) }
}
