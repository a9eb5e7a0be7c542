/// The bounds of the stored claims.
package enum FiringLimits {
    /// The number of newest claims that are kept. Older ones are removed once their firing is complete.
    package static let claims: Int64 = 50_000
    /// The length of an occurrence in bytes.
    package static let occurrenceLength = 256
}
