/** Creates the search attributes of `SearchAttribute` in a namespace. */
export const CREATE_SEARCH_ATTRIBUTES =
  'temporal operator search-attribute create --name GcorePhase --type Keyword --name GcoreAccount --type Keyword --name GcoreResourceId --type KeywordList --name GcoreLabels --type KeywordList';
