import Foundation
import Logging
import Synchronization
import Testing

@testable import hearth

/// The format of log lines.
struct LogLineTests {
    private static func lines(_ form: LineLogHandler.Form, _ body: (Logger) -> Void) -> [String] {
        let lines = Mutex<[String]>([])
        let written: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
        var log = Logger(label: "test") { _ in
            LineLogHandler(form, now: { Date(timeIntervalSince1970: 1_790_000_000.25) }, write: written)
        }
        log.logLevel = .trace
        body(log)
        return lines.withLock { $0 }
    }

    @Test func aLineTellsTimeLevelMessageAndThenWhatItIsAbout() {
        let lines = Self.lines(LineLogHandler.Form()) { log in
            log.info("An accessory is reachable.", metadata: ["home": "H", "accessory": "AA:BB"])
            log.error("It failed.", metadata: ["error": "disk is \"full\"", "empty": "", "path": "C:\\x y"])
        }
        #expect(
            lines == [
                "2026-09-21T14:13:20.250Z info An accessory is reachable. accessory=AA:BB home=H",
                #"2026-09-21T14:13:20.250Z error It failed. empty="" error="disk is \"full\"" path="C:\\x y""#,
            ]
        )
    }

    @Test func theJournalGetsThePriorityInPlaceOfTheTime() {
        let lines = Self.lines(LineLogHandler.Form(isForJournal: true)) { log in
            for level in Logger.Level.allCases { log.log(level: level, "Now.") }
        }
        #expect(lines == ["<7>Now.", "<7>Now.", "<6>Now.", "<5>Now.", "<4>Now.", "<3>Now.", "<2>Now."])
    }

    @Test func aNameCannotEndItsLineAndBeginAnother() {
        let lines = Self.lines(LineLogHandler.Form(isForJournal: true)) { log in
            let metadata: Logger.Metadata = ["name": "a\r\n<0>b", "other": "\u{1B}[2J\u{202E}\u{2028}"]
            log.info("A question: “Lamp\n<0>root”", metadata: metadata)
        }
        #expect(lines.count == 1)
        #expect(lines.first == #"<6>A question: “Lamp\n<0>root” name="a\r\n<0>b" other="\u{1B}[2J\u{202E}\u{2028}""#)
    }

    @Test func withJSONALineIsAnObject() throws {
        struct Line: Decodable {
            var event, time, level, message: String
            var metadata: [String: String]?
        }
        let lines = Self.lines(LineLogHandler.Form(isJSON: true)) { log in
            log.notice("Two\nlines", metadata: ["name": "a\n\"b\""])
            log.debug("None.")
        }
        #expect(lines.filter { $0.contains("\n") }.isEmpty)
        let read = try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(read.map(\.message) == ["Two\nlines", "None."])
        #expect(read.map(\.level) == ["notice", "debug"])
        #expect(read.first?.metadata == ["name": "a\n\"b\""] && read.last?.metadata == nil)
        #expect(read.first?.event == "log" && read.first?.time == "2026-09-21T14:13:20.250Z")
    }
}
