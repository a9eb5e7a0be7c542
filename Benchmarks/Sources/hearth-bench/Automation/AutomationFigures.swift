/// The results of automations.
struct AutomationFigures {
    // MARK: Many triggers

    var start = Samples()
    var memory = Samples()
    /// The hub's processor time without anything to do, in percent of a core.
    var idle = Samples()
    var idleWithoutTriggers = Samples()
    /// The hub's processor time for a firing, by the number of triggers.
    var firing: [Int: Samples] = [:]

    // MARK: Reactions

    /// The time from setting a sensor's value until a lamp reports the write of the trigger's scene.
    var reaction = Samples()
    /// The time from setting a lamp's value until the simulator reports it.
    var simulator = Samples()
    var echo = Samples()
    var bareCommit = Samples()

    // MARK: Watched values

    /// The hub's processor time for a write to a watched and to another characteristic, and the difference per round.
    var watchedWrite = Samples()
    var unwatchedWrite = Samples()
    var dispatch = Samples()
    /// The difference if all triggers must evaluate a condition that is false.
    var evaluation = Samples()
    /// The hub's processor time for such a write if the journal records it for each trigger, once a minute.
    var recordedEvaluation = Samples()

    // MARK: Scenes

    var scene = Samples()
    var barePut = Samples()
    /// The ratio of the two, per round.
    var sceneRatio = Samples()
    /// The requests that a scene sends.
    var requests = Samples()

    // MARK: The journal

    /// The hub's processor time for a write that isn't recorded, and for one that is.
    var unrecordedWrite = Samples()
    var recordedWrite = Samples()
    /// The difference in percent of the write that isn't recorded, per round.
    var journalShare = Samples()
    /// The difference if each write is a transaction of the journal.
    var recordAlone = Samples()
    var startWithJournal = Samples()
    var journalSize = Samples()
    var explanation = Samples()
}
