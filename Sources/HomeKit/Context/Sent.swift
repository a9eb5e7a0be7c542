/// A value that an app handed over with a call, kept for the call's completion.
struct Sent<Value>: @unchecked Sendable {
    // @unchecked because Apple's API accepts values that aren't Sendable. The object that received the value owns it.

    /// The value.
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
