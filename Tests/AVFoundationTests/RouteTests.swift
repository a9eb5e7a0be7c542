import AVFoundation
import AirPlay
import AirPlayNetwork
import Foundation
import HAP
import MediaRouting
import PeerProcess
import RadioApp
import Synchronization
import Testing

extension PlayerTests {
    /// Players that play to receivers which let in only some, and to several.
    @Suite(.serialized) struct RouteTests {
        @Test(arguments: [false, true])
        func aReceiverOfAirPlay2IsPlayedTo(needsPIN: Bool) async throws {
            let pin = try #require(PairingPIN("1234"))
            let signal = Noise.samples(frameCount: 20_000)
            let demands = TestReceiver.Demands(admission: needsPIN ? .pin(pin) : .anyone)
            let receiver = try await TestReceiver.start(demands, isAdvertised: true)
            let pairings = TestReceiver.routeFile.pairingsPath
            if needsPIN {
                // As “hearth airplay route” does.
                let list = SenderPairings(try AirPlayPairingFile(sendersAt: pairings), pin: { _ in pin })
                var selection = StreamSelection(list)
                selection.needsPairing = true
                let configuration = selection.configuration(host: "127.0.0.1", port: receiver.port, named: "Room")
                let sender = AirPlaySender(configuration, source: { [] }, event: { _ in })
                try await sender.connect()
                try await sender.prepare()
                await sender.stop()
                let attributes = try FileManager.default.attributesOfItem(atPath: pairings)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
            }
            let choice = RouteChoice(receiver: receiver.name, interfaces: ["127.0.0.1"])
            try TestReceiver.routeFile.write(choice)
            MediaRoutes.shared.update()
            try configureLongFormAudio()
            try await Noise.withFile(signal) { url in
                let player = AVPlayer(url: url)
                player.play()
                try await receiver.waitFor(signal)
                player.pause()
            }
            try? FileManager.default.removeItem(atPath: pairings)
            try await Self.reset(receiver)
        }

        @Test func withoutThePairingThePlayerPauses() async throws {
            let demands = TestReceiver.Demands(admission: .pin(try #require(PairingPIN("1234"))))
            let receiver = try await TestReceiver.start(demands, isAdvertised: true)
            try TestReceiver.routeFile.write(RouteChoice(receiver: receiver.name, interfaces: ["127.0.0.1"]))
            MediaRoutes.shared.update()
            try configureLongFormAudio()
            try await Noise.withFile(Noise.samples(frameCount: 44_100)) { url in
                let player = AVPlayer(url: url)
                player.play()
                for await status in player.timeControlStatusUpdates where status == .paused && player.rate == 0 {
                    break
                }
                #expect(AVAudioSession.sharedInstance().currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
                #expect(receiver.byteCount == 0)
            }
            try await Self.reset(receiver)
        }

        @Test func aPasswordIsKeptWithTheChoice() async throws {
            let receiver = try await TestReceiver.start(.init(password: "secret"), isAdvertised: true)
            var choice = RouteChoice(receiver: receiver.name, password: "secret", interfaces: ["127.0.0.1"])
            // Another choice in between doesn't lose it.
            choice = choice.replacing([]).replacing(choice.receivers)
            try TestReceiver.routeFile.write(choice)
            MediaRoutes.shared.update()
            try configureLongFormAudio()
            let signal = Noise.samples(frameCount: 10_000)
            try await Noise.withFile(signal) { url in
                let player = AVPlayer(url: url)
                player.play()
                try await receiver.waitFor(signal)
                player.pause()
            }
            try await Self.reset(receiver)
        }

        private static func reset(_ receiver: TestReceiver) async throws {
            try TestReceiver.routeFile.write(RouteChoice(interfaces: ["127.0.0.1"]))
            MediaRoutes.shared.update()
            MediaRoutes.shared.isLongForm = false
            await receiver.stop()
        }

        @Test func severalReceiversPlayInStep() async throws {
            let signal = Noise.samples(frameCount: 882_000)
            try await TestReceiver.withSeveral(2) { receivers in
                try configureLongFormAudio()
                let outputs = AVAudioSession.sharedInstance().currentRoute.outputs
                #expect(outputs.map(\.portName) == receivers.map(\.name))
                #expect(outputs.allSatisfy { $0.portType == .airPlay })
                try await Noise.withFile(signal) { url in
                    let player = AVPlayer(url: url)
                    player.play()
                    for receiver in receivers { try await receiver.waitFor(Array(signal.prefix(20_000))) }
                    try await Wait.until("audio is heard") { player.currentTime().seconds > 0.1 }
                    player.pause()
                    let frame = Int(player.currentTime().value)
                    try await Wait.until("both discard the rest") { receivers.allSatisfy { $0.flushCount > 0 } }
                    player.volume = 0.5
                    player.play()
                    let rest = Array(signal[(frame * 2)..<(frame * 2 + 40_000)])
                    for receiver in receivers { try await receiver.waitFor(rest) }
                    let syncs = [await receivers[0].sync, await receivers[1].sync].compactMap { $0 }
                    try #require(syncs.count == 2)
                    let schedule = PlaybackSchedule(frame: syncs[0].playing, time: syncs[0].time, sampleRate: 44_100)
                    #expect(schedule.time(of: syncs[1].playing).nanoseconds(since: syncs[1].time).magnitude <= 2)
                    // It also depends on the buttons that were pressed on other receivers.
                    try await Wait.until("the volume arrives") {
                        let volumes = receivers.map(\.nowPlaying.volume)
                        return volumes[0].map { $0.decibels < 0 } == true && volumes[0] == volumes[1]
                    }
                    player.pause()
                }
            }
        }

        @Test func aReceiverThatVanishesComesBackWhileTheOtherPlays() async throws {
            let signal = Noise.samples(frameCount: 2_646_000)
            try await TestReceiver.withSeveral(2) { receivers in
                try configureLongFormAudio()
                let session = AVAudioSession.sharedInstance()
                let changes = Mutex<[UInt]>([])
                let observer = NotificationCenter.default.addObserver(
                    forName: AVAudioSession.routeChangeNotification,
                    object: session,
                    queue: nil
                ) { notification in
                    let reason = notification.userInfo?[AVAudioSessionRouteChangeReasonKey] as? NSNumber
                    changes.withLock { $0.append(reason?.uintValue ?? 0) }
                }
                defer { NotificationCenter.default.removeObserver(observer) }
                try await Noise.withFile(signal) { url in
                    let player = AVPlayer(url: url)
                    player.play()
                    try await Wait.until("both play") { receivers.allSatisfy { $0.byteCount > 0 } }
                    await receivers[1].stop()
                    try await Wait.until("the route has one output") {
                        session.currentRoute.outputs.map(\.portName) == [receivers[0].name]
                    }
                    #expect(player.rate == 1)
                    let back = try await TestReceiver.start(
                        .init(port: receivers[1].port),
                        name: receivers[1].name
                    )
                    try await Wait.until("the route has both") { session.currentRoute.outputs.count == 2 }
                    try await Wait.until("it plays") { back.byteCount > 0 }
                    #expect(player.rate == 1)
                    let expected: [AVAudioSession.RouteChangeReason] = [.oldDeviceUnavailable, .newDeviceAvailable]
                    try await Wait.until("the changes are announced") {
                        changes.withLock { $0 }.suffix(2) == expected.map(\.rawValue)
                    }
                    player.pause()
                    await back.stop()
                }
            }
        }

        @Test func theOnlyReceiverIsUsedAgainWhenItIsBack() async throws {
            let signal = Noise.samples(frameCount: 441_000)
            let receiver = try await TestReceiver.start(isAdvertised: true)
            try TestReceiver.routeFile.write(RouteChoice(receiver: receiver.name, interfaces: ["127.0.0.1"]))
            MediaRoutes.shared.update()
            try configureLongFormAudio()
            try await Noise.withFile(signal) { url in
                let player = AVPlayer(url: url)
                player.play()
                try await Wait.until("audio is heard") { player.currentTime().seconds > 0.1 }
                await receiver.stop()
                try await Wait.until("the player pauses") { player.timeControlStatus == .paused }
                let session = AVAudioSession.sharedInstance()
                #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
                let back = try await TestReceiver.start(name: receiver.name, isAdvertised: true)
                try await Wait.until("the route is back") {
                    session.currentRoute.outputs.map(\.portName) == [receiver.name]
                }
                #expect(player.rate == 0 && back.byteCount == 0)
                let frame = Int(player.currentTime().value)
                player.play()
                try await back.waitFor(Array(signal[(frame * 2)..<(frame * 2 + 10_000)]))
                player.pause()
                try await Self.reset(back)
            }
        }
    }

    /// Audio that stays on this computer.
    @Suite(.serialized) struct LocalTests {
        private final class Player: Sendable {
            private let position = Mutex(0)
            let samples: [Int16]

            init(_ samples: [Int16]) {
                self.samples = samples
            }

            func next(_ count: Int) -> [Int16] {
                let start = position.withLock { position in
                    defer { position += count * 2 }
                    return position
                }
                let rest = samples.dropFirst(start).prefix(count * 2)
                return rest + Array(repeating: 0, count: count * 2 - rest.count)
            }
        }

        @Test(arguments: [nil, 0.5])
        func theSoundCardPlaysEveryFrame(volume: Double?) async throws {
            let signal = Noise.samples(frameCount: 22_050)
            let expected = signal.map { volume == nil ? $0 : Int16((Double($0) / 2).rounded()) }
            let player = Player(signal)
            let routes = MediaRoutes(RouteFile(path: "/dev/null/route.json"))
            let played = try SoundCardFile()
            let output = AudioOutput(routes, soundCard: SoundCardFile.device) {
                player.next($0)
            } event: { _ in
            }
            output.volume = volume
            output.start()
            try await Wait.until("the samples are heard") { output.heardFrames >= 22_050 }
            output.stop()
            try await Wait.until("the card has them") { played.samples.count >= signal.count }
            #expect(played.samples.starts(with: expected))
            output.close()
        }

        @Test func withoutACardTheTimeAdvances() async throws {
            let routes = MediaRoutes(RouteFile(path: "/dev/null/route.json"))
            let output = AudioOutput(routes, soundCard: "hearth-missing") {
                Array(repeating: 0, count: $0 * 2)
            } event: {
                _ in
            }
            output.start()
            try await Wait.until("silence is heard") { output.heardFrames > 4_410 }
            output.stop()
            output.close()
        }

        @Test func theChoiceFileHasALimit() throws {
            let path = FileManager.default.temporaryDirectory.appending(path: "route-\(UUID()).json").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            let file = RouteFile(path: path)
            func length(_ count: Int) throws -> Int {
                try file.write(RouteChoice(receiver: String(repeating: "a", count: count)))
                return try Data(contentsOf: URL(filePath: path)).count
            }
            let longest = RouteFile.lengthLimit - (try length(1_000)) + 1_000
            #expect(try length(longest) == RouteFile.lengthLimit)
            #expect(file.choice.receiver?.count == longest)
            #expect(throws: RouteFile.Failure.tooLong) { try length(longest + 1) }
            #expect(file.choice.receiver?.count == longest)
            // A file that another program wrote is ignored.
            let text = try Data(contentsOf: URL(filePath: path))
            try (text + Data(" ".utf8)).write(to: URL(filePath: path))
            #expect(file.choice == RouteChoice())
        }

        @Test func theOldestPasswordIsForgotten() {
            var choice = RouteChoice()
            for number in 0...RouteChoice.passwordLimit { choice.setPassword("p\(number)", of: "r\(number)") }
            #expect(choice.password(of: "r0") == nil)
            #expect(choice.password(of: "r1") == "p1")
            #expect(choice.password(of: "r\(RouteChoice.passwordLimit)") == "p\(RouteChoice.passwordLimit)")
        }
    }
}

/// A card that ALSA's library writes to a file. The library reads its configuration when the first card is opened.
private struct SoundCardFile {
    static let device = "file"
    private static let folder: URL = {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-card-\(UUID())")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let configuration = """
            pcm.!default { type null }
            pcm.nothing { type null }
            pcm.file { type file slave.pcm "nothing" file "\(folder.path)/played" format "raw" }
            """
        try? Data(configuration.utf8).write(to: folder.appending(path: "asoundrc"))
        setenv("ALSA_CONFIG_PATH", folder.path + "/asoundrc", 1)
        return folder
    }()
    private let path: URL

    init() throws {
        path = Self.folder.appending(path: "played")
        try? FileManager.default.removeItem(at: path)
    }

    /// What was played.
    var samples: [Int16] {
        let data = (try? Data(contentsOf: path)) ?? Data()
        return data.withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map {
                Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))
            }
        }
    }
}
