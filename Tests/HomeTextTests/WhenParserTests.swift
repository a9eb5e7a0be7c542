import Foundation
import HAPCatalog
import HomeModel
import HomeText
import Testing

struct WhenParserTests {
    /// What people write, and what is understood.
    static let sentences: [(text: String, understood: String)] = [
        // Times of day.
        ("at 19:00 on weekdays", "at 19:00 on weekdays"),
        ("at 7:30 every day", "at 07:30"),
        ("At 7:30 PM on Mondays, Wednesdays and Fridays.", "at 19:30 on Mondays, Wednesdays and Fridays"),
        ("on Saturday and Sunday at 9am", "at 09:00 on weekends"),
        ("every Monday at noon", "at 12:00 on Mondays"),
        ("every weekday at 6:45", "at 06:45 on weekdays"),
        ("every day at midnight", "at 00:00"),
        ("daily at 8:00", "at 08:00"),
        ("19:00 or 21:00", "at 19:00 or at 21:00"),
        ("at 19:00 on Mon, Tue, Wed, Thu, Fri, Sat and Sun", "at 19:00"),
        // Timers.
        ("every 2 hours from 08:00", "every 2 hours from 2026-11-22 08:00"),
        ("every hour from 2026-12-01 at 00:30", "every hour from 2026-12-01 00:30"),
        ("every day from 2026-12-01 07:30", "every day from 2026-12-01 07:30"),
        ("every 30 minutes", "every 30 minutes from 2026-11-22 20:16"),
        ("every other day at 7:00", "every 2 days from 2026-11-22 07:00"),
        ("every 1 week and 2 days from 24 December 2026 18:00", "every 1 week and 2 days from 2026-12-24 18:00"),
        ("once on 2026-12-24 at 18:00", "once on 2026-12-24 at 18:00"),
        ("on December 24, 2026 at 6pm", "once on 2026-12-24 at 18:00"),
        ("tomorrow at 7:00", "once on 2026-11-23 at 07:00"),
        ("at 21:00 today", "once on 2026-11-22 at 21:00"),
        ("once on 2026-12-24 18:00 Europe/Berlin", "once on 2026-12-24 at 18:00 Europe/Berlin"),
        // Dates.
        ("on 24 December at 18:00", "on 24 December at 18:00"),
        ("on the 1st of May at 8:00", "on 1 May at 08:00"),
        ("once on Dec 24 at 18:00", "once on 24 December at 18:00"),
        ("on the 1st of every month at 8:00", "on day 1 of every month at 08:00"),
        ("at minute 30 of every hour", "at minute 30 of every hour"),
        // The sun.
        ("at sunset", "at sunset"),
        ("at sunset - 20m", "20 minutes before sunset"),
        ("at sunset -20m", "20 minutes before sunset"),
        ("sunset-20m", "20 minutes before sunset"),
        ("20 minutes before sunset", "20 minutes before sunset"),
        ("at sunrise + 1h", "1 hour after sunrise"),
        ("an hour and 30 minutes after sunrise on weekends", "1 hour and 30 minutes after sunrise on weekends"),
        ("at sunset or at 22:00", "at sunset or at 22:00"),
        // Characteristics.
        ("when Front Door unlocks", "when Front Door unlocks"),
        ("when front door is unlocked", "when Front Door unlocks"),
        ("whenever FRONTDOOR locks", "when Front Door locks"),
        ("when Front Door Lock Target State becomes unlocked", "when Front Door Lock Target State becomes unlocked"),
        ("when Hall Motion detects motion", "when Hall Motion detects motion"),
        ("when Hall Motion stops detecting motion", "when Hall Motion stops detecting motion"),
        ("when Motion Sensor detects motion", "when Motion Sensor detects motion"),
        ("at 19:00 until \"Motion\" stops detecting motion", "at 19:00, until “Motion” stops detecting motion"),
        ("when Attic Motion has a low battery", "when Attic Motion has a low battery"),
        ("when Kitchen Temperature rises above 25", "when Kitchen Temperature rises to 25 °C or more"),
        ("when “Kitchen” Temperature falls below 18.5 °C", "when “Kitchen” Temperature falls to 18.5 °C or less"),
        (
            "when Thermostat Temperature comes between 20 and 22",
            "when Thermostat Temperature comes between 20 °C and 22 °C"
        ),
        ("when Bath Humidity exceeds 70%", "when Bath service 5 Humidity rises to 70 % or more"),
        ("when Desk Lamp turns on", "when Desk Lamp turns on"),
        ("when desk lamp goes off", "when Desk Lamp turns off"),
        ("when Desk Lamp Brightness is 50", "when Desk Lamp Brightness becomes 50 %"),
        ("when Desk Lamp Brightness changes", "when Desk Lamp Brightness changes"),
        ("when Desk Lamp Brightness changes to 20 %", "when Desk Lamp Brightness becomes 20 %"),
        ("when Kids Lamp turns on", "when Kids' Lamp turns on"),
        ("when Lamp or Fan turns on", "when “Lamp or Fan” turns on"),
        ("when \"Sunset\" turns on", "when “Sunset” turns on"),
        ("when Fan turns on or when Fan Light turns on", "when Fan turns on or when Fan Light turns on"),
        ("when Ceiling Fan turns on", "when Fan turns on"),
        ("when Garage Door opens", "when Garage Door opens"),
        ("when Bathroom Window opens", "when Bathroom Window opens"),
        ("when Remote One Button is pressed twice", "when Remote One Button is pressed twice"),
        ("when Remote Two service 5 is held", "when Remote Two service 5 is held"),
        (
            "when Thermostat Target Heating Cooling State is auto",
            "when Thermostat Target Heating Cooling State becomes auto"
        ),
        ("when Television Configured Name is “Home Cinema”", "when Television Configured Name becomes “Home Cinema”"),
        // Presence.
        ("when the last person leaves", "when the last person leaves"),
        ("when everyone leaves", "when the last person leaves"),
        ("when the first person arrives", "when the first person arrives"),
        ("when someone comes home", "when someone arrives"),
        ("when Ann arrives", "when Ann arrives"),
        ("when Mary Ann leaves", "when Mary Ann leaves"),
        ("when Ann or Ben leaves", "when Ann or Ben leaves"),
        ("when the last of Ann and Ben leaves", "when the last of Ann and Ben leaves"),
        ("when Ben turns on", "when Ben turns on"),
        ("when I leave", "when you leave"),
        // Places.
        ("when I come within 200 m of 52.52, 13.405", "when you come within 200 m of 52.52, 13.405"),
        ("when I get within 1.5km of -33.9,18.4", "when you come within 1500 m of -33.9, 18.4"),
        ("when I go more than 1 kilometer from 52.52 13.405", "when you go more than 1000 m from 52.52, 13.405"),
        ("when Ann comes within 200 m of 52.52, 13.405", "-"),
        ("when I come within 0 m of 52.52, 13.405", "-"),
        ("when I come within 200 m of 92.52, 13.405", "-"),
        // Conditions.
        ("at 19:00 if Ann is home", "at 19:00, if Ann is home"),
        ("at 19:00 if Ann is not home", "at 19:00, if Ann is away"),
        ("at 19:00, if nobody is home", "at 19:00, if nobody is home"),
        ("at 19:00 if anyone is at home", "at 19:00, if someone is home"),
        ("at 19:00 if neither Ann nor Ben is home", "at 19:00, if neither Ann nor Ben is home"),
        ("at 19:00 if I am not home", "at 19:00, if you are away"),
        ("at 19:00 if none of Ann, Ben and Cem is home", "at 19:00, if none of Ann, Ben and Cem is home"),
        ("at 19:00 if Ann or Ben is home", "at 19:00, if Ann or Ben is home"),
        (
            "at 19:00 if everyone is home",
            "at 19:00, if Ann is home and Ben is home and Cem is home and Mary Ann is home"
        ),
        ("at 19:00 if between sunset and 23:00", "at 19:00, if it is after sunset and it is before 23:00"),
        ("at 19:00 if between sunset and 06:00", "at 19:00, if it is after sunset or it is before 06:00"),
        ("at 19:00 if between sunrise and 09:00", "at 19:00, if it is after sunrise and it is before 09:00"),
        ("at 19:00 if between sunrise and 02:00", "at 19:00, if it is after sunrise or it is before 02:00"),
        ("at 19:00 if between 17:00 and sunset", "at 19:00, if it is after 17:00 and it is before sunset"),
        ("at 19:00 if between 23:00 and sunrise", "at 19:00, if it is after 23:00 or it is before sunrise"),
        ("at 19:00 if between 05:00 and sunrise", "at 19:00, if it is after 05:00 and it is before sunrise"),
        ("at 19:00 if between sunset and minute 30 of every hour", "-"),
        ("when Hall Motion detects motion if it is dark", "when Hall Motion detects motion, if it is dark"),
        ("when Hall Motion detects motion after sunset", "-"),
        ("when Hall Motion detects motion if after sunset", "when Hall Motion detects motion, if it is after sunset"),
        (
            "when Hall Motion detects motion, if it is before sunrise + 30m",
            "when Hall Motion detects motion, if it is before 30 minutes after sunrise"
        ),
        (
            "when Front Door unlocks if between 22:00 and 06:00",
            "when Front Door unlocks, if it is between 22:00 and 06:00"
        ),
        (
            "when Front Door unlocks if it is between sunset - 1h and sunrise",
            "when Front Door unlocks, if it is between 1 hour before sunset and sunrise"
        ),
        ("at 19:00 if Heater is on", "at 19:00, if Heater is on"),
        ("at 19:00 if Heater is not on", "at 19:00, if Heater is not on"),
        ("at 19:00 if Kitchen Temperature is below 18", "at 19:00, if Kitchen Temperature is below 18 °C"),
        ("at 19:00 if Desk Lamp Brightness is at least 50 %", "at 19:00, if Desk Lamp Brightness is at least 50 %"),
        ("at 19:00 if Hall Motion detects no motion", "at 19:00, if Hall Motion detects no motion"),
        ("at 19:00 if Front Door is unlocked and it is dark", "at 19:00, if Front Door is unlocked and it is dark"),
        (
            "at 19:00 if Ann is home and Heater is off or it is Monday",
            "at 19:00, if (Ann is home and Heater is off) or it is Monday"
        ),
        (
            "at 19:00 if Ann is home and (Heater is off or not it is dark)",
            "at 19:00, if Ann is home and (Heater is off or not it is dark)"
        ),
        ("at 19:00 if not (Heater is on and Fan is on)", "at 19:00, if not (Heater is on and Fan is on)"),
        // Ends.
        ("when Hall Motion detects motion, turn off after 10m", "when Hall Motion detects motion, for 10 minutes"),
        (
            "when Hall Motion detects motion and turns off after 10 minutes",
            "when Hall Motion detects motion, for 10 minutes"
        ),
        ("when Hall Motion detects motion for 1h30m", "when Hall Motion detects motion, for 1 hour and 30 minutes"),
        ("at sunset until sunrise", "at sunset, until sunrise"),
        ("at sunset until 23:00 or until Front Door locks", "at sunset, until 23:00 or until Front Door locks"),
        (
            "when Hall Motion detects motion if it is dark until motion stops",
            "when Hall Motion detects motion, if it is dark, until Hall Motion stops detecting motion"
        ),
        (
            "once when Front Door unlocks on weekdays if nobody is home for 90s",
            "once when Front Door unlocks on weekdays, if nobody is home, for 1 minute and 30 seconds"
        ),
        ("when Front Door unlocks, once", "once when Front Door unlocks"),
        // Hours alone.
        ("at 7", "at 07:00"),
        ("every Monday at 8", "at 08:00 on Mondays"),
        ("at 9 o'clock", "at 09:00"),
        ("at 19.30", "at 19:30"),
        ("on the first of every month at 9", "on day 1 of every month at 09:00"),
        ("at 19:00 if between 22 and 6", "at 19:00, if it is between 22:00 and 06:00"),
        ("at sunset until 23", "at sunset, until 23:00"),
        ("every 2 hours from 8", "every 2 hours from 2026-11-22 08:00"),
        // Times in words.
        ("each evening at 9pm", "at 21:00"),
        ("every morning at 6:30", "at 06:30"),
        ("half an hour before sunrise", "30 minutes before sunrise"),
        ("an hour and a half after sunset", "1 hour and 30 minutes after sunset"),
        ("when the sun goes down", "at sunset"),
        ("as soon as it gets dark", "at sunset"),
        ("in 10 minutes", "once on 2026-11-22 at 20:26"),
        ("once in 1h30m", "once on 2026-11-22 at 21:46"),
        // People.
        ("when nobody is home", "when the last person leaves"),
        ("when someone is home", "when the first person arrives"),
        ("when Ann is home", "when Ann arrives"),
        ("when I get back", "when you arrive"),
        ("every time Ben goes out", "when Ben leaves"),
        // Names with an article, and other words.
        ("when the front door unlocks", "when Front Door unlocks"),
        ("if the front door unlocks", "when Front Door unlocks"),
        ("when Hall Motion sees motion", "when Hall Motion detects motion"),
        ("when motion is detected by Hall Motion", "when Hall Motion detects motion"),
        // Conditions without “if”.
        ("at 22:00 unless someone is home", "at 22:00, if not someone is home"),
        ("at 19:00 when Ann is home", "at 19:00, if Ann is home"),
        ("at 19:00 only when it is dark", "at 19:00, if it is dark"),
        ("when Hall Motion detects motion at night", "when Hall Motion detects motion, if it is dark"),
        ("when Hall Motion detects motion after sunset", "when Hall Motion detects motion, if it is after sunset"),
        (
            "when Hall Motion detects motion between 22:00 and 6:00 for 5 minutes",
            "when Hall Motion detects motion, if it is between 22:00 and 06:00, for 5 minutes"
        ),
        (
            "when Hall Motion detects motion and it is dark and Ann is home",
            "when Hall Motion detects motion, if it is dark and Ann is home"
        ),
        (
            "when Hall Motion detects motion and it is dark and turns off after 5m",
            "when Hall Motion detects motion, if it is dark, for 5 minutes"
        ),
    ]

    @Test(arguments: sentences.filter { $0.understood != "-" })
    func sentenceIsUnderstoodAndItsDescriptionMeansTheSame(text: String, understood: String) throws {
        let home = TextHome.shared
        let definition = try home.parse(text)
        let description = home.sentence.when(definition)
        #expect(description == understood)
        #expect(try home.parse(description) == definition)
    }

    @Test func timeOfDayIsACalendarEventWithDays() throws {
        let event = TriggerEvent(id: TextHome.id(1), occurrence: .calendar(CalendarMoment(hour: 19, minute: 0)))
        let rule = EventRule(events: [event], weekdays: [2, 3, 4, 5, 6])
        #expect(try TextHome.shared.parse("at 19:00 on weekdays") == .event(rule))
    }

    @Test func intervalIsATimerInTheHubsTimeZone() throws {
        let start = Date(timeIntervalSince1970: 1_795_334_400)
        let schedule = TimerSchedule(fireDate: start, recurrence: RecurrenceInterval(hours: 2))
        #expect(try TextHome.shared.parse("every 2 hours from 08:00") == .timer(schedule))
    }

    @Test func endIsAnEndEvent() throws {
        let home = TextHome.shared
        let motion = try home.characteristic(HAPType.Characteristic.motionDetected, of: "Hall Motion")
        guard case .event(let rule) = try home.parse("when Hall Motion detects motion until motion stops") else {
            Issue.record("not an event trigger")
            return
        }
        #expect(rule.events.map(\.occurrence) == [.characteristic(motion, .bool(true))])
        #expect(rule.endEvents.map(\.occurrence) == [.characteristic(motion, .bool(false))])
    }

    @Test func lastPersonIsEveryUser() throws {
        let event = TriggerEvent(id: TextHome.id(1), occurrence: .presence(Presence(.lastExit, of: .everyone)))
        #expect(try TextHome.shared.parse("when the last person leaves") == .event(EventRule(events: [event])))
    }

    @Test func iIsTheViewerWhereTheHomeHasOne() throws {
        let home = TextHome.shared
        let unknown = TriggerEvent(id: TextHome.id(1), occurrence: .presence(Presence(.everyExit, of: .caller)))
        #expect(try home.parse("when I leave") == .event(EventRule(events: [unknown])))
        let known = TriggerEvent(
            id: TextHome.id(1),
            occurrence: .presence(Presence(.everyExit, of: .users([home.ben])))
        )
        #expect(try home.viewed(by: home.ben).parse("when I leave") == .event(EventRule(events: [known])))
    }

    @Test func whatIsUnderstoodIsAllowedByTheHome() throws {
        let home = TextHome.shared
        let owner = Caller(user: home.ann, device: UUID(), app: "test", client: UUID())
        for (text, understood) in Self.sentences where understood != "-" {
            let definition = try home.parse(text)
            #expect(throws: Never.self, "\(text)") {
                try home.home.decide(AddTrigger(name: "Test", definition), by: owner, at: TextHome.now)
            }
        }
    }

    // MARK: What isn't understood

    static let refused: [(text: String, code: WhenError.Code, part: String)] = [
        ("", .notUnderstood, "at 19:00"),
        ("at", .notUnderstood, "Something is missing after “at”"),
        ("at 25:00", .notUnderstood, "“25:00” is not a time of day. Use a time from 00:00 to 23:59."),
        ("at 19:60", .notUnderstood, "“19:60” is not a time of day"),
        ("at 24", .notFound, "“24”"),
        ("on 30 February at 10:00", .notUnderstood, "There is no 30 February."),
        ("at sunset - 13h", .invalidParameter, "at most 12 hours"),
        ("when motion is detected", .ambiguous, "Name one"),
        ("when motion is detected in the Moon", .notUnderstood, "Use the name of a room"),
        ("at 19:00 and", .notUnderstood, "Something is missing after “at 19:00 and”"),
        ("at 19:00 unless", .notUnderstood, "Something is missing after “at 19:00 unless”"),
        ("when Front Door unlocks when Ann is home", .notUnderstood, "“when Ann is home” is not understood"),
        (
            "when Frnt Door unlocks", .notFound,
            "“Frnt Door” is neither a time nor the name of an accessory, service or user. Is “Front Door” meant?"
        ),
        (
            "when Front Door flies", .notUnderstood,
            "“flies” is not understood after “when Front Door”. For “Front Door”, use “unlocks”"
        ),
        ("when Front Door", .notUnderstood, "“unlocks”"),
        ("when Desk Lamp unlocks", .notUnderstood, "“turns on”"),
        (
            "when Desk Lamp Brightness is dim", .notUnderstood,
            "“dim” is not understood after “when Desk Lamp Brightness is”"
        ),
        ("when Desk Lamp changes", .ambiguous, "“Desk Lamp Brightness”"),
        ("when Bath rises above 20", .ambiguous, "“Bath Humidity”"),
        ("when Button is pressed", .ambiguous, "“Remote One Button” or “Remote Two Button”"),
        ("when Ann", .notUnderstood, "“arrives”"),
        ("at 19:00 on Blursday", .notUnderstood, "“Blursday” is not understood after “at 19:00 on”"),
        ("at 19:00 if", .notUnderstood, "Something is missing after “at 19:00 if”"),
        ("at 19:00 if Ann flies", .notUnderstood, "“is home”"),
        ("at 19:00 if Zoe is home", .notFound, "“Zoe”"),
        ("at 19:00 if (Ann is home", .notUnderstood, "parenthesis"),
        ("at 19:00 if Ann is home if Ben is home", .notUnderstood, "There is a condition already"),
        ("at 19:00 for ever", .notUnderstood, "“ever” is not understood after “at 19:00 for”"),
        ("at sunset - 90s", .notUnderstood, "whole minutes"),
        ("at sunset - soon", .notUnderstood, "“soon”"),
        ("every 2 hours from 08:00 if Ann is home", .notUnderstood, "A timer"),
        ("once on 2026-02-30 at 18:00", .notUnderstood, "2026-2-30"),
        ("at 19:00 or once on 2026-12-24 at 18:00", .notFound, "once"),
        ("at 19:00 until motion stops", .ambiguous, "Name it"),
        ("at 19:00 bananas", .notUnderstood, "“bananas” is not understood after “at 19:00”"),
        ("when Kitchen Temperature rises above warm", .notUnderstood, "“warm”"),
    ]

    @Test(arguments: refused)
    func errorNamesThePartAndWhatWouldBeUnderstood(text: String, code: WhenError.Code, part: String) {
        let home = TextHome.shared
        let error = #expect(throws: WhenError.self) { try home.parse(text) }
        #expect(error?.code == code, "\(error?.reason ?? "")")
        #expect(error?.reason.contains(part) == true, "\(error?.reason ?? "")")
    }

    @Test func lengthAndDepthAreLimited() throws {
        let home = TextHome.shared
        let start = "at 19:00 if Ann is home"
        let longest = start + String(repeating: " ", count: WhenParser.maximumLength - start.count)
        #expect(throws: Never.self) { try home.parse(longest) }
        #expect(throws: WhenError.self) { try home.parse(longest + " ") }
        func nested(_ depth: Int) -> String {
            "at 19:00 if \(String(repeating: "(", count: depth))Ann is home\(String(repeating: ")", count: depth))"
        }
        #expect(throws: Never.self) { try home.parse(nested(WhenParser.maximumDepth - 1)) }
        let error = #expect(throws: WhenError.self) { try home.parse(nested(WhenParser.maximumDepth)) }
        #expect(error?.code == .tooLong)
    }

    @Test func parserEndsWithAnyText() throws {
        var random = SeededGenerator(seed: 7)
        var words = ["(", ")", ",", "\"", "-", "\u{301}", "9999"]
        for sentence in Self.sentences { words += sentence.text.split(separator: " ").map { String($0) } }
        let home = TextHome.shared
        let vocabulary = home.vocabulary
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 1...14, using: &random)).map { _ in
                words[Int.random(in: 0..<words.count, using: &random)]
            }.joined(separator: " ")
            do throws(WhenError) {
                let definition = try WhenParser.definition(
                    of: text,
                    in: vocabulary,
                    now: TextHome.now,
                    timeZone: TextHome.utc
                )
                #expect(!home.sentence.when(definition).isEmpty)
            } catch {
                #expect(error.reason.hasSuffix("."), "\(text): \(error.reason)")
            }
        }
    }
}
