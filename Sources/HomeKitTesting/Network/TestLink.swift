import Foundation

/// The transport between a test's hub and its accessories. The HAP messages and their encryption are the same for all.
public enum TestLink: String, CaseIterable, Sendable {
    /// Memory, without sockets or ports.
    case memory
    /// TCP on 127.0.0.1, with a port for each accessory.
    case loopback

    /// The environment variable that selects the link of tests that don't specify one.
    public static let variable = "HEARTH_TEST_LINK"

    /// The link that the variable selects (default: ``memory``).
    ///
    /// - Throws: ``TestHomeError`` if the variable names an unknown link.
    static func standard() throws(TestHomeError) -> TestLink {
        guard let name = ProcessInfo.processInfo.environment[variable], !name.isEmpty else { return .memory }
        guard let link = TestLink(rawValue: name) else {
            let names = allCases.map(\.rawValue).joined(separator: " or ")
            throw TestHomeError("\(variable) is “\(name)”. Set it to \(names).")
        }
        return link
    }
}
