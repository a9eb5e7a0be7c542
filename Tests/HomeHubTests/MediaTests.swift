import AirPlay
import DNSSD
import Foundation
import HubAPI
import Logging
import MediaRouting
import PeerProcess
import Synchronization
import Testing

@testable import HomeHub

/// What plays on the hub's machine: a hub, and the routes of an app in this process.
@Suite struct MediaTests {
    /// A hub, the hub's own user, and an app that plays silence.
    private struct Fixture {
        let hub: HomeHub
        let file: RouteFile
        let routes: MediaRoutes
        let output: AudioOutput
        let client: RecordingHubClient

        /// Waits for a state, and returns it.
        @discardableResult
        func state(where condition: @escaping @Sendable (MediaState) -> Bool) async throws -> MediaState {
            try await client.media(where: condition)
        }
    }

    private func withFixture(_ body: (Fixture) async throws -> Void) async throws {
        try await withDataFolder { folder in
            let file = RouteFile(path: folder.appending(path: "route.json").path)
            var configuration = HubConfiguration(data: folder.appending(path: "hub"), interfaces: [.loopback])
            configuration.route = file
            configuration.log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            let hub = try await HomeHub(configuration)
            let routes = MediaRoutes(file)
            let output = AudioOutput(routes) {
                Array(repeating: 0, count: $0 * 2)
            } event: { _ in
            }
            let result: Result<Void, any Error>
            do {
                let client = try await RecordingHubClient(to: hub)
                result = .success(
                    try await body(
                        Fixture(hub: hub, file: file, routes: routes, output: output, client: client)
                    )
                )
            } catch {
                result = .failure(error)
            }
            output.close()
            await routes.server.stop()
            await hub.stop()
            try result.get()
        }
    }

    @Test func theHubsOwnUserSeesWhatAnAppPlays() async throws {
        try await withFixture { fixture in
            _ = try await fixture.client.call(HubMethods.followMedia, Empty())
            let before = try await fixture.state { _ in true }
            #expect(before.players.isEmpty && before.routes.isEmpty && before.receivers == nil)
            var report = NowPlayingReport()
            report.track = TrackMetadata(title: "Song", artist: "Band", album: "Record")
            report.elapsed = 12
            report.duration = 60
            fixture.routes.report = report
            fixture.output.start()
            let playing = try await fixture.state { $0.players.first?.isPlaying == true }
            let player = try #require(playing.players.first)
            #expect(player.title == "Song" && player.artist == "Band" && player.album == "Record")
            #expect(player.app == ProcessInfo.processInfo.processName)
            #expect(player.duration == 60 && player.artwork == nil && !player.isRouted && player.commands.isEmpty)
            #expect(try #require(player.elapsed) >= 12)
            fixture.output.stop()
            let paused = try await fixture.state { $0.players.first?.isPlaying == false }
            #expect(paused.players.first?.id == player.id)
        }
    }

    @Test func anAppThatEndsDisappears() async throws {
        try await withFixture { fixture in
            _ = try await fixture.client.call(HubMethods.followMedia, Empty())
            fixture.output.start()
            try await fixture.state { $0.players.count == 1 }
            await fixture.routes.server.stop()
            try await fixture.state { $0.players.isEmpty }
        }
    }

    @Test func theSocketOfAnAppThatCrashedIsRemoved() async throws {
        try await withFixture { fixture in
            let path = fixture.file.players + "/2147483646.sock"
            try FileManager.default.createDirectory(atPath: fixture.file.players, withIntermediateDirectories: true)
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            _ = try await fixture.client.call(HubMethods.followMedia, Empty())
            try await Wait.until("the socket is gone") { !FileManager.default.fileExists(atPath: path) }
        }
    }

    @Test func onlyCommandsThatTheAppHandlesReachIt() async throws {
        try await withFixture { fixture in
            let received = AwaitableValue<[RemoteCommand]>([])
            fixture.routes.setCommandHandler { command in
                received.change { $0.append(command) }
                return .success
            }
            fixture.routes.server.setCommands { [.pause, .next] }
            _ = try await fixture.client.call(HubMethods.followMedia, Empty())
            fixture.output.start()
            let player = try #require(try await fixture.state { $0.players.count == 1 }.players.first)
            #expect(player.commands == ["pause", "nextitem"])
            _ = try await fixture.client.call(HubMethods.commandMedia, CommandMedia("pause", player: player.id))
            try await received.until { $0 == [RemoteCommand(rawValue: "pause")] }
            func refusal(_ command: String, _ id: UUID) async throws -> String? {
                try await fixture.client.refusal(HubMethods.commandMedia, CommandMedia(command, player: id))
            }
            #expect(try await refusal("play", player.id) == "playerGone")
            #expect(try await refusal("pause", UUID()) == "playerGone")
            #expect(try await refusal("mutetoggle", player.id) == "invalidParameter")
            #expect(received.value.count == 1)
        }
    }

    @Test func theVolumeIsSetWithinItsBounds() async throws {
        try await withFixture { fixture in
            _ = try await fixture.client.call(HubMethods.followMedia, Empty())
            fixture.output.start()
            let player = try #require(try await fixture.state { $0.players.count == 1 }.players.first)
            _ = try await fixture.client.call(HubMethods.setMediaVolume, SetMediaVolume(0.25, player: player.id))
            try await fixture.state { $0.players.first?.volume == 0.25 }
            for volume in [-0.01, 1.01] {
                let call = SetMediaVolume(volume, player: player.id)
                #expect(try await fixture.client.refusal(HubMethods.setMediaVolume, call) == "invalidParameter")
            }
            #expect(fixture.routes.volume == 0.25)
        }
    }

    @Test func aPictureIsShownUpToItsLimit() async throws {
        try await withFixture { fixture in
            func show(_ length: Int) {
                let bytes = [0xFF, 0xD8, 0xFF] + Array(repeating: UInt8(length & 0xFF), count: length - 3)
                var report = NowPlayingReport()
                report.artwork = Artwork(file: bytes)
                fixture.routes.report = report
            }
            _ = try await fixture.client.call(HubMethods.followMedia, Empty())
            show(PlayerArtwork.lengthLimit)
            fixture.output.start()
            let shown = try await fixture.state { $0.players.first?.artwork != nil }
            let player = try #require(shown.players.first)
            let target = MediaPlayerTarget(player: player.id)
            let artwork = try await fixture.client.call(HubMethods.mediaArtwork, target)
            #expect(artwork.number == player.artwork && artwork.type == "image/jpeg")
            #expect(Data(base64Encoded: artwork.data)?.count == PlayerArtwork.lengthLimit)
            show(PlayerArtwork.lengthLimit + 1)
            try await fixture.state { $0.players.first?.artwork == nil }
            #expect(try await fixture.client.refusal(HubMethods.mediaArtwork, target) == "playerGone")
        }
    }

    @Test func theChoiceIsTheOneThatAppsFollow() async throws {
        try await withFixture { fixture in
            try fixture.file.write(RouteChoice(interfaces: ["127.0.0.1"]))
            let kitchen = ChooseRoute("Kitchen", password: "secret")
            _ = try await fixture.client.call(HubMethods.chooseRoute, kitchen)
            let expected = RouteChoice(receiver: "Kitchen", password: "secret", interfaces: ["127.0.0.1"])
            #expect(fixture.file.choice == expected)
            fixture.routes.update()
            #expect(fixture.routes.choice == expected)
            _ = try await fixture.client.call(HubMethods.followMedia, Empty())
            try await fixture.state { $0.routes == ["Kitchen"] }
            // `hearth airplay route` does the same in another process.
            let both = ["Kitchen", "Bedroom"]
            try fixture.file.write(RouteChoice(both.map { RouteChoice.Receiver(name: $0) }))
            try await fixture.state { $0.routes == both }
            try fixture.file.write(RouteChoice())
            try await fixture.state { $0.routes.isEmpty }
        }
    }

    @Test func namesAndPasswordsAreBounded() async throws {
        try await withFixture { fixture in
            let longest = String(repeating: "x", count: MediaManager.textLimit)
            _ = try await fixture.client.call(HubMethods.chooseRoute, ChooseRoute(longest, password: longest))
            let refused: [(String, String?)] = [
                (longest + "x", nil), ("", nil), ("a\0b", nil), ("Bath", longest + "x"), ("Bath", ""),
            ]
            for (name, password) in refused {
                let call = ChooseRoute(name, password: password)
                #expect(try await fixture.client.refusal(HubMethods.chooseRoute, call) == "invalidParameter")
            }
            #expect(fixture.file.choice.receiver == longest)
        }
    }

    @Test func receiversAreListedOnlyWhileSomebodyChooses() async throws {
        try await withFixture { fixture in
            let name = "Room \(UUID().uuidString.prefix(8))"
            let discovery = try await MulticastDNS(interfaces: [.loopback])
            var record = ReceiverRecord(deviceID: ReceiverRecord.deviceID(of: name), name: name)
            record.needsPassword = true
            for (instance, type, txt) in [
                (record.instanceName, ReceiverRecord.serviceType, record.txt),
                (name, ReceiverRecord.airPlayServiceType, VideoRecord.txt(name: name)),
            ] {
                let entries = txt.map { TXTRecord.Entry(key: $0.key, value: Array($0.value.utf8)) }
                _ = try await discovery.advertise(
                    ServiceAdvertisement(
                        instanceName: instance,
                        type: try ServiceType(type),
                        port: 7_000,
                        txt: TXTRecord(entries: entries)
                    )
                )
            }
            let other = try await RecordingHubClient(to: fixture.hub)
            _ = try await other.call(HubMethods.followMedia, Empty())
            #expect(!fixture.routes.server.isPresented)
            fixture.output.start()
            _ = try await fixture.client.call(HubMethods.startBrowsingMedia, Empty())
            let expected = MediaReceiver(
                id: record.deviceID,
                name: name,
                playsVideo: true,
                needsPassword: true,
                needsPIN: false
            )
            try await fixture.state { $0.receivers?.contains(expected) == true }
            #expect(other.mediaStates.allSatisfy { $0.receivers == nil })
            try await Wait.until("the app hears of the picker") { fixture.routes.server.isPresented }
            _ = try await fixture.client.call(HubMethods.stopBrowsingMedia, Empty())
            try await fixture.state { $0.receivers == nil }
            try await Wait.until("the app hears of its end") { !fixture.routes.server.isPresented }
            _ = try await other.call(HubMethods.startBrowsingMedia, Empty())
            try await Wait.until("the app hears of the picker") { fixture.routes.server.isPresented }
            other.close()
            try await Wait.until("the app hears of its end") { !fixture.routes.server.isPresented }
            await discovery.shutdown()
        }
    }

    @Test func aHubWithoutAudioSaysSo() async throws {
        try await withHub { hub in
            let client = try await RecordingHubClient(to: hub)
            #expect(try await client.refusal(HubMethods.followMedia, Empty()) == "noAudio")
            #expect(try await client.refusal(HubMethods.startBrowsingMedia, Empty()) == "noAudio")
            #expect(try await client.refusal(HubMethods.chooseRoute, ChooseRoute("Bath")) == "noAudio")
        }
    }

    @Test func textsAreCutBetweenCharacters() {
        var status = PlayerStatus()
        status.title = String(repeating: "x", count: PlayerStatus.textLimit)
        status.artist = String(repeating: "x", count: PlayerStatus.textLimit + 1)
        status.album = String(repeating: "x", count: PlayerStatus.textLimit - 1) + "ü"
        status.elapsed = .infinity
        status.duration = 0
        status.volume = 2
        status.commands = ["stop", "pause", "pause", "play"]
        let bounded = status.bounded
        #expect(bounded.title == status.title)
        #expect(bounded.artist == status.title)
        #expect(bounded.album == String(repeating: "x", count: PlayerStatus.textLimit - 1))
        #expect(bounded.elapsed == nil && bounded.duration == nil && bounded.volume == 1)
        #expect(bounded.commands == ["play", "pause"])
    }
}

extension RecordingHubClient {
    /// The states of what plays that were received so far.
    fileprivate var mediaStates: [MediaState] {
        messages.compactMap { message in
            if case .event(.media(let state)) = message { state } else { nil }
        }
    }

    /// Waits until the last state of what plays meets a condition, and returns it.
    fileprivate func media(where condition: @escaping @Sendable (MediaState) -> Bool) async throws -> MediaState {
        var result: MediaState?
        try await Wait.until("the state of what plays") { [self] in
            guard let state = mediaStates.last, condition(state) else { return false }
            result = state
            return true
        }
        return try #require(result)
    }
}
