import HubAPI
import Testing

@testable import HomeHub

/// Which of two hubs carries a method out, for all methods.
struct MethodHubTests {
    /// What the hub carries out that the client reaches, and why the leader doesn't.
    private static let reached: [(reason: String, methods: Set<String>)] = [
        (
            "It concerns the client's own connection.",
            [
                HubMethods.hello.name, HubMethods.enterBackground.name, HubMethods.enterForeground.name,
                HubMethods.runningClock.name, HubMethods.notify.name, HubMethods.startBrowsing.name,
                HubMethods.stopBrowsing.name, HubMethods.startBrowsingUnconfigured.name,
                HubMethods.stopBrowsingUnconfigured.name, HubMethods.followJournal.name,
            ]
        ),
        (
            "It controls or looks at accessories, to which each hub has connections of its own.",
            [
                HubMethods.read.name, HubMethods.write.name, HubMethods.changeTimes.name, HubMethods.say.name,
                HubMethods.runActionSet.name, HubMethods.identifyAccessory.name, HubMethods.identifyDiscovered.name,
                HubMethods.diagnoseAccessory.name, HubMethods.findAccessory.name,
            ]
        ),
        (
            "It reads what both hubs have, or what this hub has recorded.",
            [
                HubMethods.presence.name, HubMethods.journal.name, HubMethods.explain.name,
                HubMethods.journalSamples.name, HubMethods.voiceExamples.name, HubMethods.voiceGrammar.name,
                HubMethods.testTrigger.name, HubMethods.invitations.name, HubMethods.devices.name,
                HubMethods.apps.name, HubMethods.homeKeys.name,
            ]
        ),
        (
            "This hub pairs the accessory, and people answer its questions here.",
            [
                HubMethods.addAccessory.name, HubMethods.setUpAccessories.name, HubMethods.importAccessory.name,
                HubMethods.configureAccessory.name,
            ]
        ),
        (
            "People answer its questions here.",
            [
                HubMethods.inviteUser.name, HubMethods.manageUsers.name, HubMethods.questions.name,
                HubMethods.answerQuestion.name, HubMethods.renewQuestion.name, HubMethods.declineQuestion.name,
            ]
        ),
        (
            "This hub knows the apps that are connected, what they need, and their sockets.",
            [
                HubMethods.allowApp.name, HubMethods.denyApp.name, HubMethods.forgetApp.name,
                HubMethods.openAppSocket.name, HubMethods.closeAppSocket.name,
            ]
        ),
        (
            "The code or the link leads to this hub.",
            [HubMethods.createLogin.name, HubMethods.createInvitation.name, HubMethods.addDevice.name]
        ),
        (
            "A browser that doesn't stay signed in is known to its hub alone.",
            [HubMethods.renameDevice.name, HubMethods.removeDevice.name]
        ),
        ("It reaches agents that are connected here.", [HubMethods.sendToDevice.name]),
        (
            "It is about this hub as one of two.",
            [
                HubMethods.inviteHub.name, HubMethods.hubs.name, HubMethods.leaveHub.name, HubMethods.removeHub.name,
                HubMethods.goOnAlone.name,
            ]
        ),
        ("The file is here.", [HubMethods.writeImport.name, HubMethods.importHomes.name]),
        (
            "Each hub has a clock, backups, settings and a machine of its own.",
            [
                HubMethods.clock.name, HubMethods.advanceClock.name, HubMethods.makeBackup.name,
                HubMethods.readBackup.name, HubMethods.openFeed.name, HubMethods.followMedia.name,
                HubMethods.startBrowsingMedia.name, HubMethods.stopBrowsingMedia.name,
                HubMethods.chooseRoute.name, HubMethods.commandMedia.name, HubMethods.setMediaVolume.name,
                HubMethods.mediaArtwork.name,
            ]
        ),
    ]

    @Test func onlyTheLeaderChangesTheHomesExceptForAReason() throws {
        let table = try MethodSource.hubs
        let reasons = Self.reached.flatMap(\.methods)
        #expect(Set(reasons).count == reasons.count)
        #expect(Set(table.filter { $0.value == .reached }.keys) == Set(reasons))
        // The leader writes the feeds. Without one, people read what the hub knows that they reach.
        #expect(Set(table.filter { $0.value == .leaderIfAny }.keys) == [HubMethods.syncStatus.name])
    }

    @Test func theHubHasEachMethodAsTheTableSays() async throws {
        let table = try MethodSource.hubs
        try await withHub { hub in
            #expect(hub.router.methods == Set(table.keys))
            for (method, place) in table { #expect(hub.router.hub(of: method) == place) }
        }
    }
}
