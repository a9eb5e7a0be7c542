extension Home {
    /// Sets the home's place. Apps don't see it, so only its verb tells readers that it changed.
    func setPlace(_ place: Place?) throws(HomeError) -> Change? {
        if let place, !place.isValid {
            throw HomeError(
                .invalidParameter,
                "A latitude is -90 to 90 degrees and a longitude -180 to 180, as in 52.52 13.405 for Berlin."
            )
        }
        guard var record, record.place != place else { return nil }
        record.place = place
        return Change(verb: .homePlaceChanged, subjects: [id], effects: [.put(.home(record))])
    }
}
