/// A manifest's request that a person at a terminal picks items of the photo library; only the person
/// answers it.
///
/// A sample: `"pick": { "limit": 1, "filter": "images" }`.
///
/// Source: PHPickerConfiguration, selectionLimit and filter.
package struct PickRequest: Sendable, Hashable {
  /// The limit of memory; a person does not pick more.
  package static let maximumLimit = 100_000

  /// How many items may be picked, 0 to ``maximumLimit``; 0 sets no limit of its own.
  package var limit: Int
  /// The kind of items that may be picked; nil for images, live photos, videos
  /// and sound.
  package var filter: PickFilter?

  /// Makes a request, by itself for one item of any kind.
  package init(limit: Int = 1, filter: PickFilter? = nil) {
    (self.limit, self.filter) = (limit, filter)
  }

  /// ``limit`` as a count that holds, 1 to ``maximumLimit``.
  package var maximumCount: Int { limit == 0 ? Self.maximumLimit : limit }
}

/// The kinds of items in the list of a picker.
///
/// Source: PHPickerFilter.
package enum PickFilter: String, CaseIterable, Sendable, Hashable {
  /// Images, and live photos too.
  case images
  /// Live photos, but no plain image.
  case livePhotos
  case videos
}
