import Foundation
import PeerProcess
import Testing

struct PeerProcessTests {
    private static func shell(_ script: String) throws -> PeerProcess {
        try PeerProcess(URL(filePath: "/bin/sh"), ["-c", script])
    }

    @Test func linesAreSentAndAwaitedInAnyOrder() async throws {
        let peer = try Self.shell("read word; echo one; echo two; echo \"$word\"; exec cat")
        try peer.send("three")
        #expect(try await peer.line("three") { $0 == "three" } == "three")
        #expect(try await peer.line("one") { $0 == "one" } == "one")
        await peer.terminate()
    }

    @Test func aLineThatDoesNotComeFailsWithTheOutputSoFar() async throws {
        let peer = try Self.shell("echo something; echo trouble >&2; exec cat")
        _ = try await peer.line("something") { $0 == "something" }
        await #expect {
            try await peer.line("the end", within: .milliseconds(200)) { $0 == "never" }
        } throws: { error in
            "\(error)".contains("the end") && "\(error)".contains("something")
        }
        await peer.terminate()
    }

    @Test func aPeerThatEndsFailsTheWaitingAtOnce() async throws {
        let peer = try Self.shell("echo last words; exit 3")
        await #expect { try await peer.line("more", within: .seconds(600)) { $0 == "more" } } throws: { error in
            "\(error)".contains("last words")
        }
        #expect(await peer.exit() == 3)
        #expect(await peer.terminate() == 3)
    }

    @Test func whatAPeerHasWrittenIsThereOnceItHasEnded() async throws {
        for _ in 0..<20 {
            let peer = try Self.shell("seq 1 10000; echo last words >&2")
            await peer.exit()
            #expect(peer.transcript.contains("\n10000\n") && peer.transcript.contains("last words"))
        }
    }

    @Test func aPeerEndsThoughAnotherProgramKeepsItsOutputOpen() async throws {
        let peer = try Self.shell("sleep 600 & echo $!")
        #expect(await peer.exit() == 0)
        let sleeper = try await peer.line("the other program's number") { _ in true }
        kill(try #require(Int32(sleeper)), SIGKILL)
    }

    @Test func aWaitEndsWhenItsConditionHolds() async throws {
        var count = 0
        let condition = { () -> Bool in
            count += 1
            return count == 3
        }
        try await Wait.until("the third time", condition)
        #expect(count == 3)
    }

    @Test func aWaitThatIsGivenUpSaysWhatWasAwaited() async throws {
        await #expect { try await Wait.until("pigs fly", within: .zero) { false } } throws: { error in
            "\(error)".contains("pigs fly")
        }
        #expect(try await Wait.value(within: .zero, where: { $0 > 1 }, of: { 1 }) == 1)
    }

    @Test func aPeerThatDoesNotListenIsKilled() async throws {
        let peer = try Self.shell("trap '' TERM; echo ready; while :; do sleep 0.1; done")
        _ = try await peer.line("ready") { $0 == "ready" }
        #expect(await peer.terminate(within: .milliseconds(100)) == -SIGKILL)
        #expect(kill(peer.processIdentifier, 0) == -1 && errno == ESRCH)
    }
}
