//! The API as a page meets it, on a real store and a real engine thread.

mod app;
mod games;
mod hostile;
mod partners;
mod records;
mod storage;
mod streams;
