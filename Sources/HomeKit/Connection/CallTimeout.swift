import HubAPI

/// How long a call of the hub may take before it ends with ``HMError/Code/operationTimedOut``, whatever the hub does. What
/// was asked for may still happen.
///
/// The time begins once the hub has answered the connection's greeting, for until then it may be asking a person whether
/// the app may use the homes.
package struct CallTimeout: Sendable {
    /// For calls that the hub and its accessories see to: longer than what the hub waits for on their behalf.
    package var ordinary: Duration
    /// For calls whose connection's greeting is not answered.
    package var greeting: Duration
    /// Runs some work after a time.
    let wait: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    /// Makes a limit.
    package init(
        ordinary: Duration,
        greeting: Duration,
        wait: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    ) {
        self.ordinary = ordinary
        self.greeting = greeting
        self.wait = wait
    }

    /// One minute, and fifteen until the greeting is answered.
    package static let standard = CallTimeout(
        ordinary: .seconds(60),
        greeting: .seconds(900),
        wait: RetryPolicy.standard.wait
    )

    /// The limit of a method's calls. Those during which a person is asked have none: how many questions there will be
    /// and how long each waits is the hub's to know, and it ends each of them itself.
    func duration(of method: String) -> Duration? {
        Self.askingMethods.contains(method) ? nil : ordinary
    }

    private static let askingMethods: Set<String> = [
        HubMethods.addAccessory.name, HubMethods.setUpAccessories.name, HubMethods.inviteUser.name,
        HubMethods.manageUsers.name,
    ]
}
