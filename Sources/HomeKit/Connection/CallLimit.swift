import HubAPI

/// How long a call of the hub may take before it ends with ``HMError/Code/operationTimedOut``, whatever the hub does.
///
/// It is longer than anything that the hub waits for in turn, so that it ends what hangs and nothing else. What was asked
/// for may still happen.
package struct CallLimit: Sendable {
    /// For calls that the hub and its accessories see to.
    package var ordinary: Duration
    /// For calls during which a person is asked.
    package var withPerson: Duration
    /// Runs some work after a time.
    let wait: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    /// Makes a limit.
    package init(
        ordinary: Duration,
        withPerson: Duration,
        wait: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    ) {
        self.ordinary = ordinary
        self.withPerson = withPerson
        self.wait = wait
    }

    /// One minute, and fifteen where a person is asked.
    package static let standard = CallLimit(
        ordinary: .seconds(60),
        withPerson: .seconds(900),
        wait: RetrySchedule.standard.wait
    )

    /// The limit of a method's calls.
    func duration(of method: String) -> Duration {
        Self.askingMethods.contains(method) ? withPerson : ordinary
    }

    private static let askingMethods: Set<String> = [
        HubMethods.addAccessory.name, HubMethods.setUpAccessories.name, HubMethods.inviteUser.name,
        HubMethods.manageUsers.name,
    ]
}
