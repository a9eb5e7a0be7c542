import Foundation
import PeerProcess
import RelayAPI
import Synchronization
import Testing

@testable import RelayClient

/// When a stream counts as dead that nobody has ended.
@Suite struct StreamWatchTests {
    @Test func aSilentStreamIsAskedForASignOfLifeAndThenGivenUp() throws {
        var watch = StreamWatch()
        let counted = watch.sent()
        let time = try #require(counted)
        // One time is counted, however much is sent.
        let again = watch.sent()
        #expect(again == nil)
        var steps = [watch.timeIsOver(time, isSent: true), watch.timeIsOver(time, isSent: true)]
        #expect(steps == [.ask, .end])

        // A pipe asks at once, and further ones don't prolong the time.
        var opening = StreamWatch()
        _ = opening.sent()
        let asked = opening.asked()
        let first = try #require(asked)
        let second = opening.asked()
        #expect(second == nil)
        steps = [opening.timeIsOver(first - 1, isSent: true), opening.timeIsOver(first, isSent: true)]
        #expect(steps == [.rest, .end])
    }

    @Test func whatComesShowsThatTheStreamLeadsToTheRelay() throws {
        var watch = StreamWatch()
        let counted = watch.sent()
        let time = try #require(counted)
        watch.received()
        let step = watch.timeIsOver(time, isSent: true)
        #expect(step == .rest)
        // What is sent later is counted anew, and an answer to the question ends that.
        let later = watch.sent()
        let next = try #require(later)
        let asked = watch.timeIsOver(next, isSent: true)
        #expect(asked == .ask)
        watch.received()
        let answered = watch.timeIsOver(next, isSent: true)
        #expect(answered == .rest)
    }

    @Test func aQuestionThatWaitsBehindOthersIsNotLateYet() throws {
        var watch = StreamWatch()
        let counted = watch.asked()
        let time = try #require(counted)
        let steps = [watch.timeIsOver(time, isSent: false), watch.timeIsOver(time, isSent: true)]
        #expect(steps == [.wait, .end])
    }

    @Test func aHubGivesUpAStreamOnWhichItOnlySendsAndNothingComes() async throws {
        let (isEnded, frames) = (AwaitableValue(false), AwaitableValue(Data()))
        let pipes = RelayPipes()
        pipes.connect(
            RelayPipes.Connection { _, body in
                frames.change { $0 += body }
            } end: {
                isEnded.change { $0 = true }
            }
        )
        pipes.refreshDoors()
        try await isEnded.until { $0 }
        // It has asked before.
        #expect(frames.value == LiveFrame.doors([]).encoded + LiveFrame.ping.encoded)
    }
}
