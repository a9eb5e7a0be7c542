public import Foundation

/// An error of the framework: a code and additional information.
///
/// Completion handlers receive only errors of this type, and asynchronous methods throw only errors of this type.
/// `error as NSError` has the domain ``HMErrorDomain`` and the code's number. The opposite cast, from an `NSError` to
/// an `HMError`, doesn't work on Linux and isn't needed, because the framework never returns a bare `NSError`. Each
/// ``Code`` is also a static member, so a `catch` can name `HMError.notFound`.
/// - Since: iOS 8.0
public struct HMError: Error, @unchecked Sendable {
    // @unchecked because `userInfo` can hold any value, as on Apple's systems. It never changes.

    /// The domain of the error as an `NSError`: ``HMErrorDomain``.
    /// - Since: iOS 8.0
    public static var errorDomain: String { HMErrorDomain }

    /// The error code.
    /// - Since: iOS 8.0
    public let code: Code
    /// Additional information. `NSLocalizedFailureReasonErrorKey` has the hub's reason, if any. If the error is about
    /// an accessory, `NSLocalizedRecoverySuggestionErrorKey` has advice for the user and `HearthAccessoryTrouble` has
    /// the cause as a code, such as `refused`.
    /// - Since: iOS 8.0
    public let userInfo: [String: Any]

    /// Creates an error.
    /// - Since: iOS 8.0
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        self.userInfo = userInfo
    }

    /// Creates an error from the framework's `NSError`. An `NSError` with another domain or an unknown code becomes
    /// ``Code/unexpectedError`` and is kept as the underlying error.
    public init(_nsError error: NSError) {
        if error.domain == HMErrorDomain, let code = Code(rawValue: error.code) {
            self.init(code, userInfo: error.userInfo)
        } else {
            self.init(.unexpectedError, userInfo: [NSUnderlyingErrorKey: error])
        }
    }

    /// Creates an error with a human-readable reason.
    init(_ code: Code, reason: String) {
        self.init(code, userInfo: [NSLocalizedFailureReasonErrorKey: reason])
    }
}

// Apple's type conforms only to these protocols, so an app can add `LocalizedError` or `CustomStringConvertible`.

extension HMError: CustomNSError {
    /// The number of ``code``.
    public var errorCode: Int { code.rawValue }

    /// ``userInfo`` with a description for users, which `localizedDescription` returns.
    public var errorUserInfo: [String: Any] {
        userInfo.merging([NSLocalizedDescriptionKey: code.text]) { existing, _ in existing }
    }
}

extension HMError: Hashable {
    /// Whether both have the same code and the same information. Values that can't be compared are considered
    /// different.
    public static func == (left: HMError, right: HMError) -> Bool {
        left.code == right.code && left.userInfo.count == right.userInfo.count
            && left.userInfo.allSatisfy { key, value in
                guard let value = value as? AnyHashable, let other = right.userInfo[key] as? AnyHashable
                else { return false }
                return value == other
            }
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}

extension HMError.Code {
    /// Lets `catch HMError.accessDenied` and `case HMError.accessDenied` match an error by its code.
    public static func ~= (code: HMError.Code, error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == HMErrorDomain && error.code == code.rawValue
    }
}

/// The domain of the framework's errors as an `NSError`.
/// - Since: iOS 8.0
public let HMErrorDomain: String = "HMErrorDomain"

/// A completion handler without a result, which receives `nil` or an ``HMError``.
/// - Since: iOS 8.0
public typealias HMErrorBlock = @Sendable ((any Error)?) -> Void
