/// The managers and browsers that find a test home.
public enum TestScope: Sendable {
    /// Managers and browsers created in the test's own task and its child tasks. Any number of such tests can run at
    /// the same time.
    case task
    /// Every manager and browser of the process that was created within this scope, such as that of an app's static
    /// store. It persists from test to test, and its delegate is notified of the new homes each time. Only one such
    /// test runs at a time; the others wait.
    case process
}
