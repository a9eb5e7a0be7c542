import HomeModel

/// The rules by which an app is let in, for a hub's sockets and an agent's: an app states who it is and why, and the person
/// hasn't denied it.
///
/// This is consent, not isolation. An app identifies itself, and a process with a uid that the listener serves can claim any
/// identity. The security boundary is the uid.
package enum AppAdmission {
    /// Checks an app's introduction.
    ///
    /// - Returns: Whether the person's decision counts; otherwise the app is one of Hearth's own, which are always let in.
    /// - Throws: ``HubError/Code/appNotAllowed`` or ``HubError/Code/purposeMissing``.
    package static func check(_ hello: Hello) throws(HubError) -> Bool {
        guard !hello.app.isEmpty else {
            throw HubError(.appNotAllowed, "The app has no identifier. Set one, such as com.example.lights.")
        }
        let limit = HomeLimits.appIdentifierLength
        guard hello.app.sanitized(maximumLength: limit) == hello.app else {
            throw HubError(.appNotAllowed, "An app's identifier can have at most \(limit) printable characters.")
        }
        if HubProtocol.isOwnApp(hello.app) {
            guard hello.isAssistant != true else {
                throw HubError(
                    .appNotAllowed,
                    "An assistant can't be called “\(hello.app)”, as Hearth's own programs are."
                )
            }
            return false
        }
        guard hello.purpose.contains(where: { !$0.isWhitespace }) else {
            let how = "Set NSHomeKitUsageDescription in its Info.plist, or HEARTH_PURPOSE in its environment."
            throw HubError(.purposeMissing, "“\(hello.app)” does not state why it wants to use the home. \(how)")
        }
        return true
    }

    /// Checks that a person can decide about an app.
    package static func checkDecision(about app: String) throws(HubError) {
        guard HubProtocol.isOwnApp(app) else { return }
        let reason = "“\(app)” is the hub's own app, which is always allowed."
        throw HubError(HomeError(.invalidParameter, reason))
    }

    /// Returns the error for an app that the person has denied.
    package static func denial(of app: String) -> HubError {
        HubError(
            .appNotAllowed,
            "“\(app)” is not allowed to use the homes. To allow it, run “hearth app allow \(app)”."
        )
    }
}
