import DNSSD

/// The interfaces on which AirPlay's services are advertised and found.
enum AirPlayInterfaces {
    /// Returns the chosen interfaces. Without a choice, a stream on the loopback interface stays there.
    static func selectors(_ chosen: [String], address: String?) -> [InterfaceSelector] {
        if chosen.isEmpty, let address, address.hasPrefix("127.") { return [InterfaceSelector(address)] }
        return chosen.map { InterfaceSelector($0) }
    }

    /// Starts multicast DNS. If that fails and isn't required, prints a note and returns `nil`.
    static func discovery(_ selectors: [InterfaceSelector]) async -> MulticastDNS? {
        do throws(DNSSDError) {
            return try await MulticastDNS(interfaces: selectors)
        } catch {
            ProgramOutput.note("Not advertised: \(error.reason)")
            return nil
        }
    }
}
