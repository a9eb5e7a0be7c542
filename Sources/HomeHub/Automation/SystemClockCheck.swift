import Foundation
import Glibc

/// Finds out whether the system's clock was ever set.
///
/// A machine without a battery-backed clock starts at some time of the past after a power cut, and gets the real time from
/// the network later. Until then, automations would fire at wrong times.
package enum SystemClockCheck {
    /// Returns whether a time can be trusted.
    ///
    /// - Parameters:
    ///   - now: The system's time.
    ///   - lastSeen: A time at which the hub was running before; `nil` if it never was.
    ///   - isSynchronized: Whether the kernel reports that the clock is synchronized.
    /// - Returns: `false` if the clock isn't synchronized and shows a time before the hub's last run, or before this
    ///   program was written.
    static func isSet(now: Date, lastSeen: Date?, isSynchronized: Bool) -> Bool {
        if isSynchronized { return true }
        return now >= max(lastSeen ?? .distantPast, firstPlausibleTime)
    }

    /// 2026-01-01: Hearth didn't run before.
    static let firstPlausibleTime = Date(timeIntervalSince1970: 1_767_225_600)

    /// Whether the kernel reports that the system's clock is synchronized with a time source.
    package static var isSynchronized: Bool {
        // Swift's Glibc module leaves out <sys/timex.h>, so the function is found by its name. A buffer of zeros asks for
        // nothing to change; `struct timex` has 208 bytes.
        guard let symbol = dlsym(nil, "adjtimex") else { return true }
        typealias Adjust = @convention(c) (UnsafeMutableRawPointer) -> CInt
        let adjust = unsafeBitCast(symbol, to: Adjust.self)
        return withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { buffer in
            buffer.initializeMemory(as: UInt8.self, repeating: 0)
            guard let address = buffer.baseAddress else { return true }
            return adjust(address) != timeError
        }
    }

    /// The result of `adjtimex` for a clock that isn't synchronized: `TIME_ERROR`.
    private static let timeError: CInt = 5
}
