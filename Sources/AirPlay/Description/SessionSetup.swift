/// The first body of AirPlay 2's SETUP: the sender, and how it tells the time.
package struct SessionSetup: Hashable, Sendable {
    private static let networkTime = "NTP"
    private static let noTime = "None"

    /// The sender's device ID.
    package var deviceID: String
    /// The session's UUID.
    package var sessionID: String
    /// The sender's name.
    package var name: String
    /// The sender's port for the time, or `nil` if it doesn't tell the time.
    package var timingPort: Int?

    /// Creates a setup.
    package init(deviceID: String, sessionID: String, name: String, timingPort: Int?) {
        self.deviceID = deviceID
        self.sessionID = sessionID
        self.name = name
        self.timingPort = timingPort
    }

    /// Reads a body.
    init(_ body: PropertyList) throws(StreamSetup.Failure) {
        guard let deviceID = body["deviceID"]?.string, let sessionID = body["sessionUUID"]?.string else {
            throw .malformed
        }
        guard body["isRemoteControlOnly"]?.boolean != true else { throw .unsupportedStream }
        var port: Int?
        switch body["timingProtocol"]?.string {
        case Self.networkTime?:
            port = body["timingPort"]?.port
            guard port != nil else { throw .malformed }
        case Self.noTime?: break
        default: throw .unsupportedTiming
        }
        self.init(deviceID: deviceID, sessionID: sessionID, name: body["name"]?.string ?? "", timingPort: port)
    }

    /// The body to send.
    var body: PropertyList {
        [
            "deviceID": .string(deviceID), "macAddress": .string(deviceID), "sessionUUID": .string(sessionID),
            "name": .string(name), "model": .string(ReceiverRecord.model),
            "timingProtocol": .string(timingPort == nil ? Self.noTime : Self.networkTime),
            "timingPort": .integer(Int128(timingPort ?? 0)), "isMultiSelectAirPlay": true,
            "groupContainsGroupLeader": false,
        ]
    }
}

extension PropertyList {
    /// The port, or `nil` if this isn't one.
    var port: Int? {
        integer(as: UInt16.self).flatMap { $0 == 0 ? nil : Int($0) }
    }
}
