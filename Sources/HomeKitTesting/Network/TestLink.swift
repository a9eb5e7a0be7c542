import Foundation

/// What carries the bytes between a test's hub and its accessories. The messages, their encryption and everything that
/// makes and reads them are the same.
public enum TestLink: String, CaseIterable, Sendable {
    /// Memory: no sockets, no ports.
    case memory
    /// TCP on 127.0.0.1, each accessory on a port of its own.
    case loopback

    /// The variable that chooses the link of tests that do not say which.
    public static let variable = "HEARTH_TEST_LINK"

    /// What the variable chooses; ``memory`` without it.
    ///
    /// - Throws: ``TestHomeError`` if the variable names no link.
    static func standard() throws(TestHomeError) -> TestLink {
        guard let name = ProcessInfo.processInfo.environment[variable], !name.isEmpty else { return .memory }
        guard let link = TestLink(rawValue: name) else {
            let known = allCases.map(\.rawValue).joined(separator: " or ")
            throw TestHomeError("\(variable) is “\(name)”; it has to be \(known).")
        }
        return link
    }
}
