import AirPlay
import AirPlayNetwork
import AppleLossless
import PeerProcess
import Synchronization
import Testing

extension StreamsOneByOne {
    /// Several receivers that play the same audio in step.
    @Suite struct GroupTests {
        /// A receiver, and what it got.
        private struct Room {
            let recorder = Recorder()
            let receiver: AirPlayReceiver
            let port: Int

            init(port: Int = 0) async throws {
                receiver = AirPlayReceiver(.init(address: "127.0.0.1", port: port), handlers: recorder.handlers)
                self.port = try await receiver.start()
            }
        }

        private static func member(port: Int, _ format: AudioFormat = .pcm) -> AirPlayGroup.Member {
            AirPlayGroup.Member { () async throws(AirPlayNetworkError) in
                var configuration = AirPlaySender.Configuration(host: "127.0.0.1", port: port, format: format)
                configuration.frameCount = 44_100 * 120
                return configuration
            }
        }

        /// A group that plays samples, or otherwise without end.
        private static func group(
            _ members: [AirPlayGroup.Member],
            _ samples: [Int16]? = nil,
            _ events: EventList = EventList()
        ) -> AirPlayGroup {
            guard let samples else {
                let source = CountingSource()
                return AirPlayGroup(members, source: { source.next() }, event: { events.append($0, $1) })
            }
            let source = PacketSource(samples)
            return AirPlayGroup(members, source: { source.next() }, event: { events.append($0, $1) })
        }

        /// The events of a group. This is a class because the group's closure and the test share it.
        private final class EventList: Sendable {
            private let events = Mutex<[(Int, AirPlayGroup.Event)]>([])

            func append(_ member: Int, _ event: AirPlayGroup.Event) { events.withLock { $0.append((member, event)) } }

            func of(_ member: Int) -> [AirPlayGroup.Event] {
                events.withLock { $0.filter { $0.0 == member }.map(\.1) }
            }
        }

        @Test func allReceiversPlayTheSameFrameAtTheSameTime() async throws {
            let rooms = [try await Room(), try await Room(), try await Room()]
            let lossless = AudioFormat.appleLossless(try AppleLosslessConfiguration())
            let group = Self.group(
                [
                    Self.member(port: rooms[0].port), Self.member(port: rooms[1].port, lossless),
                    Self.member(port: rooms[2].port),
                ]
            )
            async let playing = group.play()
            // By the sender's clock, they agree exactly, whatever the machine does meanwhile.
            var syncs: [SyncPacket] = []
            try await Wait.until("all receivers know which frame plays when") {
                syncs = []
                for room in rooms { if let sync = await room.receiver.sync { syncs.append(sync) } }
                return syncs.count == rooms.count
            }
            let reference = PlaybackSchedule(frame: syncs[0].playing, time: syncs[0].time, sampleRate: 44_100)
            for sync in syncs {
                #expect(reference.time(of: sync.playing).nanoseconds(since: sync.time).magnitude <= 2)
                #expect(sync.latency == syncs[0].latency)
            }
            // By the receiver's clock, which is the same here, as well as the clocks are measured.
            try await Wait.until("the receivers agree within 2 ms") {
                var times: [NTPTime] = []
                for room in rooms {
                    if let schedule = await room.receiver.schedule { times.append(schedule.time(of: 0)) }
                }
                guard times.count == rooms.count, let first = times.min(), let last = times.max() else { return false }
                return last.nanoseconds(since: first) < 2_000_000
            }
            try await Wait.until("audio arrives") { rooms.allSatisfy { !$0.recorder.audio.isEmpty } }
            await group.stop()
            #expect(await playing.allSatisfy { (try? $0.get()) != nil })
            for room in rooms {
                try await room.recorder.waitForEnd()
                #expect(CountingSource.isInPlace(room.recorder.audio))
                await room.receiver.stop()
            }
        }

        @Test func everyFrameArrivesEverywhere() async throws {
            let samples = TestSignal.samples(frameCount: 352 * 60 + 100)
            let rooms = [try await Room(), try await Room()]
            let results = await Self.group(rooms.map { Self.member(port: $0.port) }, samples).play()
            #expect(results.allSatisfy { (try? $0.get()) != nil })
            for room in rooms {
                try await room.recorder.waitForEnd()
                let isEqual = room.recorder.audio == TestSignal.bytes(samples)
                #expect(isEqual)
                await room.receiver.stop()
            }
        }

        @Test func aPacketIsEncodedOnceForAllReceivers() async throws {
            let samples = TestSignal.samples(frameCount: 352 * 60 + 100)
            let lossless = AudioFormat.appleLossless(try AppleLosslessConfiguration())
            let rooms = [try await Room(), try await Room(), try await Room()]
            let group = Self.group(rooms.map { Self.member(port: $0.port, lossless) }, samples)
            #expect(await group.play().allSatisfy { (try? $0.get()) != nil })
            #expect(await group.encodedCount == 61)
            for room in rooms {
                try await room.recorder.waitForEnd()
                let isEqual = room.recorder.audio == TestSignal.bytes(samples)
                #expect(isEqual)
                await room.receiver.stop()
            }
        }

        @Test func aReceiverThatFailsDoesNotAffectTheOthers() async throws {
            let samples = TestSignal.samples(frameCount: 352 * 60)
            let (busy, free) = (try await Room(), try await Room())
            let other = Self.group([Self.member(port: busy.port)])
            async let playing = other.play()
            try await Wait.until("another sender plays") { !busy.recorder.audio.isEmpty }

            let events = EventList()
            let missing = AirPlayGroup.Member { () async throws(AirPlayNetworkError) in throw .notFound("Attic") }
            let results = await Self.group(
                [Self.member(port: busy.port), Self.member(port: free.port), missing],
                samples,
                events
            )
            .play()
            #expect(results[0].failure == .failed(.receiverBusy))
            #expect(results[1].failure == nil)
            #expect(results[2].failure == .notFound("Attic"))
            #expect(events.of(0) == [.failed(.failed(.receiverBusy))])
            #expect(events.of(1) == [.playing])
            try await free.recorder.waitForEnd()
            let isEqual = free.recorder.audio == TestSignal.bytes(samples)
            #expect(isEqual)
            // The other sender goes on.
            #expect(busy.recorder.ended.isEmpty)
            let count = busy.recorder.audio.count
            try await Wait.until("the other sender goes on") { busy.recorder.audio.count > count }
            await other.stop()
            _ = await playing
            for room in [busy, free] { await room.receiver.stop() }
        }

        @Test func aReceiverThatIsLostComesBackInStep() async throws {
            let (steady, lost) = (try await Room(), try await Room())
            let events = EventList()
            let group = Self.group([Self.member(port: steady.port), Self.member(port: lost.port)], nil, events)
            async let playing = group.play()
            try await Wait.until("both play") { !steady.recorder.audio.isEmpty && !lost.recorder.audio.isEmpty }
            await lost.receiver.stop()
            try await Wait.until("it is lost") { events.of(1) == [.playing, .lost(.disconnected)] }
            let before = steady.recorder.audio.count

            let back = try await Room(port: lost.port)
            try await Wait.until("it is back") { events.of(1).last == .back }
            #expect(steady.recorder.audio.count > before)
            try await Wait.until("both know which frame plays when") {
                let all = [await steady.receiver.sync, await back.receiver.sync]
                return all.allSatisfy { $0 != nil } && back.recorder.audio.count > 4 * 44_100
            }
            let (one, other) = (try #require(await steady.receiver.sync), try #require(await back.receiver.sync))
            let schedule = PlaybackSchedule(frame: one.playing, time: one.time, sampleRate: 44_100)
            #expect(schedule.time(of: other.playing).nanoseconds(since: other.time).magnitude <= 2)
            await group.stop()
            _ = await playing
            try await back.recorder.waitForEnd()
            // It continues with the frame that it says, where the others are.
            let progress = try #require(back.recorder.progress)
            let offset = Int(progress.current &- progress.start) / 352
            #expect(offset > 0)
            #expect(CountingSource.isInPlace(back.recorder.audio, fromPacket: offset))
            #expect(CountingSource.isInPlace(steady.recorder.audio))
            #expect(events.of(0) == [.playing])
            for room in [steady, back] { await room.receiver.stop() }
        }

        @Test func aPausedGroupContinuesWithTheSamePacketEverywhere() async throws {
            let rooms = [try await Room(), try await Room()]
            let source = CountingSource()
            let events = EventList()
            let group = AirPlayGroup(
                rooms.map { Self.member(port: $0.port) },
                isPaused: true,
                source: { source.next() },
                event: { events.append($0, $1) }
            )
            async let playing = group.play()
            #expect(await group.waitUntilReady())
            #expect(rooms.allSatisfy { $0.recorder.audio.isEmpty } && events.of(0).isEmpty)
            await group.resume()
            try await Wait.until("both play") { rooms.allSatisfy { $0.recorder.audio.count > 100_000 } }
            await group.pause()
            for room in rooms { #expect(room.recorder.events.contains(.flushed)) }
            let counts = rooms.map { $0.recorder.audio.count }
            let next = source.next().first.map { Int($0) } ?? 0

            await group.resume()
            try await Wait.until("both continue") {
                zip(rooms, counts).allSatisfy { $0.recorder.audio.count > $1 + 100_000 }
            }
            for (room, count) in zip(rooms, counts) {
                // The test has taken one packet of the source.
                #expect(CountingSource.isInPlace(Array(room.recorder.audio.dropFirst(count)), fromPacket: next))
            }
            let syncs = [await rooms[0].receiver.sync, await rooms[1].receiver.sync].compactMap { $0 }
            try #require(syncs.count == 2)
            let schedule = PlaybackSchedule(frame: syncs[0].playing, time: syncs[0].time, sampleRate: 44_100)
            #expect(schedule.time(of: syncs[1].playing).nanoseconds(since: syncs[1].time).magnitude <= 2)
            await group.send(Self.volume(-7))
            for room in rooms {
                try await Wait.until("the volume arrives") { room.recorder.nowPlaying?.volume == Volume(-7) }
            }
            await group.stop()
            _ = await playing
            for room in rooms { await room.receiver.stop() }
        }

        private static func volume(_ decibels: Double) -> NowPlaying {
            var nowPlaying = NowPlaying()
            nowPlaying.volume = Volume(decibels)
            return nowPlaying
        }

        @Test func aReceiverThatComesBackDuringAPauseContinuesWithTheOthers() async throws {
            let (steady, lost) = (try await Room(), try await Room())
            let events = EventList()
            let group = Self.group([Self.member(port: steady.port), Self.member(port: lost.port)], nil, events)
            async let playing = group.play()
            try await Wait.until("both play") { !steady.recorder.audio.isEmpty && !lost.recorder.audio.isEmpty }
            await lost.receiver.stop()
            try await Wait.until("it is lost") { events.of(1) == [.playing, .lost(.disconnected)] }
            await group.pause()
            let count = steady.recorder.audio.count
            let back = try await Room(port: lost.port)
            try await Wait.until("it has a stream") {
                back.recorder.events.contains { if case .started = $0 { true } else { false } }
            }
            #expect(events.of(1).last != .back)
            await group.resume()
            try await Wait.until("both play again") {
                steady.recorder.audio.count > count + 50_000 && back.recorder.audio.count > 50_000
            }
            #expect(events.of(1).last == .back)
            let steadyAudio = Array(steady.recorder.audio.dropFirst(count).prefix(40_000))
            #expect(Array(back.recorder.audio.prefix(40_000)) == steadyAudio)
            await group.stop()
            _ = await playing
            for room in [steady, back] { await room.receiver.stop() }
        }

        @Test func aGroupWithoutAReceiverIsNotReady() async {
            let missing = AirPlayGroup.Member { () async throws(AirPlayNetworkError) in throw .notFound("Attic") }
            let group = AirPlayGroup([missing], isPaused: true, source: { [] }, event: { _, _ in })
            async let playing = group.play()
            #expect(await group.waitUntilReady() == false)
            #expect(await playing.first?.failure == .notFound("Attic"))
        }

        @Test func theOnlyReceiverIsTriedAgainUntilTheAudioEnds() async throws {
            let room = try await Room()
            let events = EventList()
            let group = Self.group([Self.member(port: room.port)], nil, events)
            async let playing = group.play()
            try await Wait.until("it plays") { !room.recorder.audio.isEmpty }
            await room.receiver.stop()
            try await Wait.until("it is lost") { events.of(0).last == .lost(.disconnected) }
            await group.stop()
            #expect(await playing.first?.failure == nil)
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
