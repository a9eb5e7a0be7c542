public import Foundation
import HomeHub
import HomeModel
import HubAPI

extension TestHome {
    /// The time on the hub's clock, which timers and other automations follow.
    ///
    /// It starts at the system's time and stands still until ``advanceTime(by:)`` is called.
    ///
    /// - Throws: An error if the hub isn't running.
    public var time: Date {
        get async throws {
            Date(milliseconds: try await client.call(HubMethods.clock, Empty()).milliseconds)
        }
    }

    /// Advances the hub's clock, and runs each automation that is due on the way, at its time.
    ///
    /// Returns once the accessories have answered what the automations wrote, or have failed to. Apps receive the changes
    /// as always, a moment later; wait for them with ``until(_:within:isolation:file:line:_:)``. A week takes a moment:
    ///
    /// ```swift
    /// try await home.advanceTime(by: .seconds(7 * 24 * 60 * 60))
    /// ```
    ///
    /// - Parameter duration: More than 0 and at most 366 days; the clock counts whole milliseconds.
    /// - Throws: An error if the hub isn't running, or the duration is out of range.
    public func advanceTime(by duration: Duration) async throws {
        let (seconds, attoseconds) = duration.components
        let (milliseconds, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000)
        let advance = isTooLong ? Int64.max : milliseconds + attoseconds / 1_000_000_000_000_000
        _ = try await client.call(HubMethods.advanceClock, AdvanceClock(milliseconds: advance))
    }

    /// Sets the home's place, which sunrise and sunset depend on.
    ///
    /// - Parameters:
    ///   - latitude: Degrees, -90 to 90; north is positive.
    ///   - longitude: Degrees, -180 to 180; east is positive.
    /// - Throws: An error if the hub isn't running, or the place isn't on the map.
    public func setPlace(latitude: Double, longitude: Double) async throws {
        let place = Place(latitude: latitude, longitude: longitude)
        _ = try await client.call(HubMethods.setHomePlace, InHome(id, SetHomePlace(place)))
    }

    /// Reports that a user has come home or has left.
    ///
    /// - Parameters:
    ///   - person: The user.
    ///   - isHome: Whether the user is at home.
    /// - Throws: An error if the hub isn't running.
    public func setPresence(of person: TestPerson, isHome: Bool) async throws {
        var user: UUID?
        if let account = person.id { user = try hub().alias(of: account, in: id, to: TestHubClient.app) }
        _ = try await client.call(HubMethods.setPresence, SetPresence(home: id, user: user, isHome: isHome))
    }
}
