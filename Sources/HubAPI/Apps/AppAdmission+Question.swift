extension AppAdmission {
    /// The field of the question whether an app may use the homes.
    package static let decisionField = QuestionField(
        "decision",
        choices: [QuestionField.Choice("allow", "Allow"), QuestionField.Choice("deny", "Don’t Allow")]
    )

    /// Returns the text of the question.
    ///
    /// - Parameter purpose: The app's reason, without control characters.
    package static func question(about app: String, purpose: String) -> String {
        "“\(app)” would like to use your homes. Its reason: \(purpose)"
    }

    /// Returns whether an answer to the question allows the app.
    package static func allows(_ answer: String?) -> Bool { answer == decisionField.choices.first?.value }
}
