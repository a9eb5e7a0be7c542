internal import AirPlay
package import AirPlayNetwork

extension FoundReceiver {
    /// Returns whether a user means this receiver by a name or an ID.
    package func isNamed(_ name: String) -> Bool {
        record.name == name || record.deviceID.lowercased() == name.lowercased()
    }
}
