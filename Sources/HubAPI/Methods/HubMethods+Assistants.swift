extension HubMethods {
    /// The names of the methods that AI assistants can call: they look at the homes and operate them.
    ///
    /// An assistant acts for a person who started it, so it also reads the journal and diagnoses. It doesn't change homes,
    /// users, apps or devices, and never answers questions: those are how a person checks what it does.
    package static let forAssistants: Set<String> = [
        hello.name, enterBackground.name, enterForeground.name, clock.name, presence.name,
        read.name, write.name, notify.name, changeTimes.name, identifyAccessory.name, runActionSet.name,
        say.name, voiceExamples.name, voiceGrammar.name, journal.name, explain.name, journalSamples.name,
        diagnoseAccessory.name,
        testTrigger.name,
    ]
}
