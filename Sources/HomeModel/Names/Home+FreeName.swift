extension Home {
    /// Returns a valid name that no object of the home has.
    ///
    /// - Parameters:
    ///   - text: A text that describes the object. What isn't allowed in names is left out.
    ///   - fallback: The name to use if nothing is left of the text.
    package func freeName(like text: String, otherwise fallback: String) -> String {
        var generator = NameGenerator(names: names)
        return generator.name(reported: text, model: fallback)
    }
}
