import Automations
import Foundation
import HomeModel
import PeerProcess
import Testing

/// Sunrise and sunset compared with astral, an independent implementation.
@Suite struct SunTimesTests {
    private struct Town: CustomStringConvertible {
        var description: String
        var place: Place
        var zone: String

        init(_ name: String, _ latitude: Double, _ longitude: Double, _ zone: String) {
            description = name
            place = Place(latitude: latitude, longitude: longitude)
            self.zone = zone
        }
    }

    private struct Request: Encodable {
        var latitude: Double
        var longitude: Double
        var zone: String?
        var year: Int?
        var times: [Double]?

        init(_ place: Place, zone: String? = nil, year: Int? = nil, times: [Double]? = nil) {
            (latitude, longitude) = (place.latitude, place.longitude)
            (self.zone, self.year, self.times) = (zone, year, times)
        }
    }

    /// Places where the sun rises and sets each day of the year.
    private static let towns = [
        Town("Berlin", 52.52, 13.405, "Europe/Berlin"), Town("London", 51.507, -0.128, "Europe/London"),
        Town("Madrid", 40.417, -3.704, "Europe/Madrid"), Town("Rome", 41.903, 12.496, "Europe/Rome"),
        Town("Athens", 37.984, 23.728, "Europe/Athens"), Town("Istanbul", 41.008, 28.978, "Europe/Istanbul"),
        Town("Moscow", 55.756, 37.617, "Europe/Moscow"), Town("Oslo", 59.914, 10.752, "Europe/Oslo"),
        Town("Helsinki", 60.17, 24.938, "Europe/Helsinki"), Town("Dublin", 53.35, -6.26, "Europe/Dublin"),
        Town("Lisbon", 38.722, -9.139, "Europe/Lisbon"), Town("Ponta Delgada", 37.741, -25.675, "Atlantic/Azores"),
        Town("New York", 40.713, -74.006, "America/New_York"), Town("Chicago", 41.878, -87.63, "America/Chicago"),
        Town("Denver", 39.739, -104.99, "America/Denver"), Town("Phoenix", 33.448, -112.074, "America/Phoenix"),
        Town("San Francisco", 37.775, -122.419, "America/Los_Angeles"),
        Town("Anchorage", 61.218, -149.9, "America/Anchorage"), Town("Honolulu", 21.307, -157.858, "Pacific/Honolulu"),
        Town("St. John's", 47.562, -52.713, "America/St_Johns"), Town("Havana", 23.113, -82.366, "America/Havana"),
        Town("Bogotá", 4.711, -74.072, "America/Bogota"), Town("Quito", -0.18, -78.468, "America/Guayaquil"),
        Town("Lima", -12.046, -77.043, "America/Lima"), Town("São Paulo", -23.551, -46.633, "America/Sao_Paulo"),
        Town("Buenos Aires", -34.604, -58.382, "America/Argentina/Buenos_Aires"),
        Town("Lagos", 6.524, 3.379, "Africa/Lagos"), Town("Nairobi", -1.292, 36.822, "Africa/Nairobi"),
        Town("Johannesburg", -26.204, 28.047, "Africa/Johannesburg"), Town("Dubai", 25.205, 55.271, "Asia/Dubai"),
        Town("Mumbai", 19.076, 72.878, "Asia/Kolkata"), Town("Kathmandu", 27.717, 85.324, "Asia/Kathmandu"),
        Town("Singapore", 1.352, 103.82, "Asia/Singapore"), Town("Urumqi", 43.825, 87.617, "Asia/Shanghai"),
        Town("Tokyo", 35.676, 139.65, "Asia/Tokyo"), Town("Sydney", -33.869, 151.209, "Australia/Sydney"),
        Town("Perth", -31.953, 115.857, "Australia/Perth"), Town("Auckland", -36.848, 174.763, "Pacific/Auckland"),
        Town("Apia", -13.834, -171.763, "Pacific/Apia"), Town("Kiritimati", 1.872, -157.43, "Pacific/Kiritimati"),
        Town("Ushuaia", -54.802, -68.303, "America/Argentina/Ushuaia"),
        Town("Suva", -18.142, 178.442, "Pacific/Fiji"),
    ]

    /// Places with polar days and nights.
    private static let polarPlaces = [
        Town("Tromsø", 69.649, 18.956, "Europe/Oslo"), Town("Longyearbyen", 78.223, 15.647, "Arctic/Longyearbyen"),
        Town("Kiruna", 67.856, 20.225, "Europe/Stockholm"), Town("Murmansk", 68.959, 33.083, "Europe/Moscow"),
        Town("Utqiagvik", 71.291, -156.789, "America/Anchorage"), Town("Alert", 82.502, -62.348, "America/Toronto"),
        Town("Rovaniemi", 66.503, 25.729, "Europe/Helsinki"), Town("McMurdo", -77.846, 166.676, "Antarctica/McMurdo"),
        Town("Vostok", -78.464, 106.837, "Antarctica/Vostok"),
    ]

    private static let firstDay = LocalDay(year: 2026, month: 1, day: 1)
    /// The sun's elevation in degrees when its upper edge is on the horizon.
    private static let horizon = -0.833

    /// astral assumes that the sun rises and sets 0.789° below the horizon. The difference makes up most of the tolerance:
    /// it takes the sun more than a minute in Helsinki.
    @Test func sunriseAndSunsetAreWithinTwoMinutesOfAstral() async throws {
        let peer = try PeerPython.start("sun_times.py")
        var unknown = 0
        for town in Self.towns {
            let zone = try #require(TimeZone(identifier: town.zone))
            try peer.ask(Request(town.place, zone: town.zone, year: 2026))
            let expected = try await peer.json([[Double?]].self, "the times of \(town)") { $0.count == 365 }
            for (index, times) in expected.enumerated() {
                let found = SunTimes(at: town.place, on: Self.firstDay + index, in: zone)
                let sunrise = try #require(found.sunrise, "\(town), day \(index)")
                let sunset = try #require(found.sunset, "\(town), day \(index)")
                for (time, expected) in zip([sunrise, sunset], times) {
                    guard let expected else {
                        unknown += 1
                        continue
                    }
                    #expect(abs(time.timeIntervalSince1970 - expected) < 120, "\(town), day \(index)")
                }
            }
        }
        await peer.terminate()
        // astral finds no sunrise on two dates on which it is shortly after midnight UTC.
        #expect(unknown <= 2)
    }

    @Test func sunIsAtTheHorizonAtSunriseAndSunset() async throws {
        let peer = try PeerPython.start("sun_times.py")
        for town in Self.towns + Self.polarPlaces {
            let zone = try #require(TimeZone(secondsFromGMT: Int(town.place.longitude * 240)))
            let days = (0..<365).map { SunTimes(at: town.place, on: Self.firstDay + $0, in: zone) }
            let sunrises = days.compactMap { $0.sunrise?.timeIntervalSince1970 }
            let sunsets = days.compactMap { $0.sunset?.timeIntervalSince1970 }
            // A minute later, the sun is higher or lower.
            let elevations = try await elevations(of: town, at: sunrises + sunsets, by: peer)
            let later = try await self.elevations(of: town, at: (sunrises + sunsets).map { $0 + 60 }, by: peer)
            for (index, (elevation, next)) in zip(elevations, later).enumerated() {
                #expect(abs(elevation - Self.horizon) < 0.02, "\(town), \(index)")
                #expect((elevation < next) == (index < sunrises.count), "\(town), \(index)")
            }
            #expect(Set(sunrises).count == sunrises.count)
            #expect(Set(sunsets).count == sunsets.count)
        }
        await peer.terminate()
    }

    @Test func sunStaysOnOneSideOfTheHorizonOnPolarDaysAndNights() async throws {
        let peer = try PeerPython.start("sun_times.py")
        for town in Self.polarPlaces {
            let offset = Int(town.place.longitude * 240)
            let zone = try #require(TimeZone(secondsFromGMT: offset))
            var days: [Int] = []
            for index in 0..<365 {
                let times = SunTimes(at: town.place, on: Self.firstDay + index, in: zone)
                if times.sunrise == nil && times.sunset == nil { days.append(index) }
            }
            #expect(days.count >= 20, "\(town)")
            let hours = days.flatMap { day in
                (0..<24).map { Double((Self.firstDay + day).number * 86_400 - offset + $0 * 3_600) }
            }
            let elevations = try await elevations(of: town, at: hours, by: peer)
            for (index, day) in days.enumerated() {
                let elevations = elevations[index * 24..<(index + 1) * 24]
                // The sun moves up to 0.4° along the ecliptic in a day, and the hours miss its highest and lowest points.
                let isDay = elevations.allSatisfy { $0 > Self.horizon - 0.2 }
                let isNight = elevations.allSatisfy { $0 < Self.horizon + 0.2 }
                #expect(isDay || isNight, "\(town), day \(day)")
            }
        }
        await peer.terminate()
    }

    private func elevations(of town: Town, at times: [Double], by peer: PeerProcess) async throws -> [Double] {
        try peer.ask(Request(town.place, times: times))
        return try await peer.json([Double].self, "elevations in \(town)") { $0.count == times.count }
    }

    @Test func placesThatAreNotOnTheMapHaveNoSun() {
        for place in [
            Place(latitude: .nan, longitude: 0), Place(latitude: 91, longitude: 0),
            Place(latitude: 0, longitude: .infinity),
        ] {
            let times = SunTimes(at: place, on: Self.firstDay, in: .gmt)
            #expect(times == SunTimes(at: Place(latitude: 90, longitude: 0), on: Self.firstDay, in: .gmt))
            #expect(times.sunrise == nil && times.sunset == nil)
            #expect(SunMoment(.sunset).next(after: Date(timeIntervalSince1970: 0), at: place) == nil)
        }
    }

    /// At the poles, the sun rises once in a year, and at no hour of the day.
    @Test(arguments: [90, -90.0])
    func polesHaveNoSunriseAndSunset(latitude: Double) throws {
        let pole = Place(latitude: latitude, longitude: 0)
        for day in 0..<365 {
            #expect(SunTimes(at: pole, on: Self.firstDay + day, in: .gmt).sunrise == nil)
            #expect(SunTimes(at: pole, on: Self.firstDay + day, in: .gmt).sunset == nil)
        }
        #expect(SunMoment(.sunset).next(after: try date("2026-12-01 00:00"), at: pole) == nil)
    }

    @Test func nextSunriseNearThePoleIsAfterThePolarNight() throws {
        let pole = Place(latitude: 89, longitude: 0)
        let sunrise = try #require(SunMoment(.sunrise).next(after: try date("2026-12-01 00:00"), at: pole))
        #expect(try date("2027-03-10 00:00") < sunrise && sunrise < (try date("2027-03-25 00:00")))
    }

    @Test func nextMomentIsTheFirstOneAfterTheInstant() throws {
        for offset in [-720, -90, 0, 90, 720] {
            let moment = SunMoment(.sunset, offset: offset)
            var time = try date("2026-01-01 00:00")
            for _ in 0..<400 {
                let next = try #require(moment.next(after: time, at: berlin))
                // One second before, it's the same one, and the next one is about a day later.
                #expect(moment.next(after: next.addingTimeInterval(-1), at: berlin) == next)
                let following = try #require(moment.next(after: next, at: berlin))
                #expect(abs(following.timeIntervalSince(next) - 86_400) < 300)
                time = next
            }
        }
        #expect(SunMoment(.sunset, offset: 721).next(after: try date("2026-01-01 00:00"), at: berlin) == nil)
        #expect(SunMoment(.sunset, offset: .min).next(after: try date("2026-01-01 00:00"), at: berlin) == nil)
        let unknown = SunMoment(SunMoment.Event(rawValue: "noon"))
        #expect(unknown.next(after: try date("2026-01-01 00:00"), at: berlin) == nil)
    }
}

extension PeerProcess {
    /// Sends a request as a line of JSON.
    func ask(_ request: some Encodable) throws {
        try send(String(decoding: JSONEncoder().encode(request), as: UTF8.self))
    }
}
