/// The limits of running automations. Limits are inclusive.
package enum AutomationLimits {
    /// Seconds by which a timer, a calendar event or a moment of the sun may fire late, such as after a suspension of the
    /// machine. A time that is longer ago is missed.
    package static let lateness = 60
    /// Firings of one trigger in one chain of causes. The next one is stopped.
    package static let firingsPerChain = 3
    /// Triggers in one chain of causes, including the one that is about to fire.
    package static let chainLength = 32
    /// Firings of one trigger by events other than times within ``firingWindow``. The next one is stopped.
    package static let firingsPerWindow = 20
    /// The seconds in which ``firingsPerWindow`` are counted.
    package static let firingWindow = 60
    /// Missed times of one event that are counted; more count as this number.
    package static let countedMisses = 32
    /// Years within which a calendar event is looked for: a given weekday can be 40 years from the next February 29 on
    /// that weekday.
    package static let calendarSearch = 41
    /// Days within which an event in a calendar other than the Gregorian one is looked for: a leap month of the Hebrew
    /// calendar comes back within three years.
    package static let otherCalendarSearch = 3 * 385
    /// Days within which a moment of the sun is looked for. Near the poles, the sun rises once a year.
    package static let sunSearch = 400
    /// Periods of time that are remembered when the clock is changed, so that nothing fires twice after it is set back.
    package static let rememberedPeriods = 16
    /// Meters by which a user must be outside a region to have left it, so that an inaccurate location near the edge
    /// doesn't leave and enter repeatedly. The distance is a tenth of the radius, within this range.
    package static let regionMargin = 20.0...200.0
}
