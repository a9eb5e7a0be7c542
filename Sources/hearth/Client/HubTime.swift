import Foundation
import HomeText
import HubAPI

/// The hub's time and time zone, in which schedules are read and written.
struct HubTime {
    var now: Date
    var timeZone: TimeZone

    /// Asks the hub. A hub without a clock method uses the system's clock.
    init(of client: HomeClient) async throws(HubError) {
        do throws(HubError) {
            self.init(try await client.call(HubMethods.clock, Empty()))
        } catch {
            guard error.code == .unknownMethod else { throw error }
            self.init(now: Date(), timeZone: .current)
        }
    }

    private init(now: Date, timeZone: TimeZone) {
        self.now = now
        self.timeZone = timeZone
    }

    /// This machine's time and time zone, for what needs no hub in reach.
    static var local: HubTime { HubTime(now: Date(), timeZone: .current) }

    /// Creates the time that the hub sent.
    init(_ time: ClockTime) {
        self.init(
            now: Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000),
            timeZone: TimeZone(identifier: time.timeZone) ?? .current
        )
    }

    /// Returns a date and time in the hub's time zone: `2026-12-24 18:00`, with seconds if they count.
    func text(_ date: Date, withSeconds: Bool = false) -> String {
        var style = Date.ISO8601FormatStyle(timeZone: timeZone)
        style = style.year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false)
        return String(date.formatted(style).dropLast(withSeconds ? 0 : 3))
    }
}

extension NamedHome {
    /// Returns the sentences about the home, in the hub's time zone.
    func sentences(at time: HubTime) -> TriggerSentence {
        TriggerSentence(names: HomeVocabulary(home), timeZone: time.timeZone)
    }
}
