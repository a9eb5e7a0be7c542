/// Who finds a test home.
public enum TestScope: Sendable {
    /// Managers and browsers that are made in the test's own task, and in those that it starts. Any number of such tests
    /// may run at the same time.
    case task
    /// Every manager and browser that was made in this process within this scope, as that of an app's static store: it
    /// lives on from test to test, and each time its delegate hears that the homes are others. One such test runs at a
    /// time; further ones wait.
    case process
}
