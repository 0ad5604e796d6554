/// A manifest's request that a person at a terminal picks items of the photo library; only the person
/// answers it.
///
/// A sample: `"pick": { "limit": 1, "filter": ["images", "videos"] }`.
///
/// Source: PHPickerConfiguration, selectionLimit and filter.
package struct PickRequest: Sendable, Hashable {
  /// The limit of memory; a person does not pick more.
  package static let maximumLimit = 100_000

  /// How many items may be picked, 0 to ``maximumLimit``; 0 sets no limit of its own.
  package var limit: Int
  /// The kinds of items of which any may be picked; empty for images, live photos, videos and sound.
  package var filter: Set<PickFilter>
  /// The order in which items are shown.
  package var sort: PickOrder

  /// Makes a request, by itself for one item of any kind, the newest first.
  package init(limit: Int = 1, filter: Set<PickFilter> = [], sort: PickOrder = .newestFirst) {
    (self.limit, self.filter, self.sort) = (limit, filter, sort)
  }

  /// ``limit`` as a count that holds, 1 to ``maximumLimit``.
  package var maximumCount: Int { limit == 0 ? Self.maximumLimit : limit }
}

/// The kinds of items in the list of a picker; of several, items of any one are listed.
///
/// Source: PHPickerFilter, `any(of:)`.
package enum PickFilter: String, CaseIterable, Sendable, Hashable {
  /// Images, and live photos too.
  case images
  /// Live photos, but no plain image.
  case livePhotos
  case videos
}

extension Set<PickFilter> {
  /// All kinds that are listed; empty for every kind, and for sound.
  package var listedKinds: Set<PickFilter> { contains(.images) ? union([.livePhotos]) : self }

  /// Whether an item is listed.
  ///
  /// - Parameter kind: Its kind; nil for sound.
  /// - Returns: True of any where the set is empty.
  package func lists(_ kind: PickFilter?) -> Bool {
    isEmpty || kind.map(listedKinds.contains) ?? false
  }
}

/// The order of items in the list of a picker; what is equal comes in the order of its paths.
///
/// Source: PHFetchOptions, sortDescriptors; a picker of photos has no order to choose.
package enum PickOrder: String, CaseIterable, Sendable, Hashable {
  /// By the time when they were taken, else when their first file changed; those without one come last.
  case newestFirst = "creationDate:descending"
  case oldestFirst = "creationDate:ascending"
  /// By title, else by the name of the first file, ASCII case aside.
  case name = "name:ascending"
  case nameReversed = "name:descending"

  /// Whether items come by their times.
  package var isByDate: Bool { self == .newestFirst || self == .oldestFirst }
}
