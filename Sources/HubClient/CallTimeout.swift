import HubAPI

/// The time after which a call without a reply fails with `timedOut`. The hub may still carry it out.
///
/// The time starts when the hub has replied to the hello. Until then, the hub may be asking the user whether the app can
/// use the homes.
package struct CallTimeout: Sendable {
    /// The timeout of calls that the hub and its accessories carry out. It is longer than the hub's own timeouts.
    package var ordinary: Duration
    /// The timeout of calls on a connection whose hello has no reply yet.
    package var greeting: Duration
    /// Runs a closure after a delay.
    let wait: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    /// Creates a timeout.
    package init(
        ordinary: Duration,
        greeting: Duration,
        wait: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    ) {
        self.ordinary = ordinary
        self.greeting = greeting
        self.wait = wait
    }

    /// One minute, and fifteen minutes until the hub has replied to the hello.
    package static let standard = CallTimeout(
        ordinary: .seconds(60),
        greeting: .seconds(900),
        wait: RetryPolicy.standard.wait
    )

    /// Returns the timeout of a method's calls; `nil` for methods that ask the user. The hub limits the time of each
    /// question, and only the hub knows how many questions there are.
    package func duration(of method: String) -> Duration? {
        Self.askingMethods.contains(method) ? nil : ordinary
    }

    private static let askingMethods: Set<String> = [
        HubMethods.addAccessory.name, HubMethods.setUpAccessories.name, HubMethods.inviteUser.name,
        HubMethods.manageUsers.name, HubMethods.configureAccessory.name,
    ]
}
