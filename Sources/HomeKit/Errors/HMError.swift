public import Foundation

/// An error of the framework: a code, and what else is known.
///
/// Every error that a completion gets or an asynchronous method throws is one of these. `error as NSError` has the domain
/// ``HMErrorDomain`` and the code's number; the opposite cast, from an `NSError` to an `HMError`, does not work on Linux,
/// and is never needed, since the framework hands out no bare `NSError`. Each ``Code`` is reachable as a static member
/// too, so that `HMError.notFound` may stand in a `catch`.
/// - Since: iOS 8.0
public struct HMError: Error, @unchecked Sendable {
    // @unchecked: as on Apple's systems `userInfo` may hold anything; it is never changed after it was made.

    /// The domain of the error as an `NSError`: ``HMErrorDomain``.
    /// - Since: iOS 8.0
    public static var errorDomain: String { HMErrorDomain }

    /// What went wrong.
    /// - Since: iOS 8.0
    public let code: Code
    /// What else is known. `NSLocalizedFailureReasonErrorKey` has the hub's reason where there is one. If it is about an
    /// accessory, `NSLocalizedRecoverySuggestionErrorKey` says what a person does about it, and `HearthAccessoryTrouble` has
    /// the cause in one word, such as `refused`.
    /// - Since: iOS 8.0
    public let userInfo: [String: Any]

    /// Makes an error.
    /// - Since: iOS 8.0
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        self.userInfo = userInfo
    }

    /// Makes the error that an `NSError` of the framework stands for; one of another domain or with an unknown code
    /// becomes ``Code/unexpectedError`` and is kept as the underlying error.
    public init(_nsError error: NSError) {
        if error.domain == HMErrorDomain, let code = Code(rawValue: error.code) {
            self.init(code, userInfo: error.userInfo)
        } else {
            self.init(.unexpectedError, userInfo: [NSUnderlyingErrorKey: error])
        }
    }

    /// Makes an error whose reason is told to people.
    init(_ code: Code, reason: String) {
        self.init(code, userInfo: [NSLocalizedFailureReasonErrorKey: reason])
    }
}

// Apple's type conforms to no more protocols than these, so an app may add `LocalizedError` or `CustomStringConvertible`.

extension HMError: CustomNSError {
    /// The number of ``code``.
    public var errorCode: Int { code.rawValue }

    /// ``userInfo`` with the words for people, which `localizedDescription` says.
    public var errorUserInfo: [String: Any] {
        userInfo.merging([NSLocalizedDescriptionKey: code.text]) { given, _ in given }
    }
}

extension HMError: Hashable {
    /// Whether both have the same code and know the same. What cannot be compared counts as different.
    public static func == (left: HMError, right: HMError) -> Bool {
        left.code == right.code && left.userInfo.count == right.userInfo.count
            && left.userInfo.allSatisfy { key, value in
                guard let value = value as? AnyHashable, let other = right.userInfo[key] as? AnyHashable
                else { return false }
                return value == other
            }
    }

    /// Feeds the code.
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

/// The domain of the framework's errors as `NSError`.
/// - Since: iOS 8.0
public let HMErrorDomain: String = "HMErrorDomain"

/// What a completion without a result looks like: it gets nil, or an ``HMError``.
/// - Since: iOS 8.0
public typealias HMErrorBlock = @Sendable ((any Error)?) -> Void
