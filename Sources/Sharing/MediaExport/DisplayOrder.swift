package import MediaLibrary
internal import MediaModel
package import MediaPredicate

extension CatalogueReader {
  /// The seconds within which the pictures of one event were taken: a week.
  private static let secondsOfEvent = 7 * 86_400

  /// The order in which galleries and contact sheets show assets where a person names none.
  ///
  /// - Parameters:
  ///   - query: The assets.
  ///   - isNeutral: Whether labels are not shown.
  /// - Returns: Oldest first, where all assets with a date were taken within seven days, as those of one event are; else
  ///   newest first. Where no date is known, by label, or without labels newest saved first.
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func displayOrder(
    of query: AssetQuery,
    isNeutral: Bool
  ) throws(LibraryError) -> [FetchSortDescriptor] {
    guard let first = try endDate(of: query, isFirst: true), let last = try endDate(of: query, isFirst: false)
    else {
      return [
        isNeutral
          ? FetchSortDescriptor(.addedDate, ascending: false) : FetchSortDescriptor(.label, ascending: true)
      ]
    }
    // A year or a month alone is no day of an event.
    let ends = [first, last].compactMap { $0.utf8.count < 10 ? nil : CivilDate.seconds($0) }
    let isOfOneEvent = ends.count == 2 && ends[1] - ends[0] <= Self.secondsOfEvent
    return [FetchSortDescriptor(.creationDate, ascending: isOfOneEvent)]
  }

  /// The first or the last date of assets, as ``CaptureDate/local``; nil where no date is known.
  private func endDate(of query: AssetQuery, isFirst: Bool) throws(LibraryError) -> String? {
    var query = query
    query.sortDescriptors = [FetchSortDescriptor(.creationDate, ascending: isFirst)]
    query.limit = 1
    // Dated assets come first in both directions.
    guard let row = try select(query).rows.first else { return nil }
    return try asset(row: row)?.facts.creationDate?.local
  }
}
